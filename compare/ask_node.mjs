// Asks an npm library line by line: a request in, {"value": …} or {"error": "…"} out, each at once.
import { readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";

// The libraries stand in a folder that is named on the command line, not beside this file.
const [name, folder] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);

async function call() {
  if (name === "jsonrepair") {
    const { jsonrepair } = require("jsonrepair");
    return (text) => JSON.parse(jsonrepair(text));
  }
  if (name === "partial-json") {
    const { parse, Allow } = require("partial-json");
    return (text) => parse(text, Allow.ALL);
  }
  if (name === "ai") {
    const { parsePartialJson } = await import(require.resolve("ai"));
    return async (text) => (await parsePartialJson(text)).value;
  }
  throw new Error(`unknown library: ${name}`);
}

// JSON has no word for these; `judge.py` reads them back.
const finite = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? `\u0000${value}` : value);

// What is shown behind each character, each in a list; null where the library refuses.
async function everyPrefix(read, text) {
  const values = [];
  let prefix = "";
  for (const character of text) {
    prefix += character;
    try {
      const value = await read(prefix);
      values.push(value === undefined ? null : [value]);
    } catch {
      values.push(null);
    }
  }
  return JSON.stringify({ values }, finite);
}

async function answer(read, line) {
  try {
    const request = JSON.parse(line);
    if (request.every_prefix) return await everyPrefix(read, request.text);
    const value = await read(request.text);
    if (value === undefined) throw new Error("undefined");
    return JSON.stringify({ value }, finite);
  } catch (error) {
    return JSON.stringify({ error: `${error.name}: ${error.message}` });
  }
}

// Blocking reads and writes: the answer to a line is out before the next one is looked for.
function* lines() {
  const chunk = Buffer.alloc(1 << 16);
  let held = Buffer.alloc(0);
  for (;;) {
    const end = held.indexOf(10);
    if (end >= 0) {
      yield held.subarray(0, end).toString();
      held = held.subarray(end + 1);
      continue;
    }
    const count = readSync(0, chunk);
    if (count === 0) return;
    held = Buffer.concat([held, chunk.subarray(0, count)]);
  }
}

const read = await call();
for (const line of lines()) {
  const out = Buffer.from(`${await answer(read, line)}\n`);
  for (let at = 0; at < out.length; ) at += writeSync(1, out, at);
}
