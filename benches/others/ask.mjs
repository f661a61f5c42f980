// Reads prefixes of a text with an npm library: ask.mjs LIBRARY TEXT FOLDER, where the ends of the prefixes stand in TEXT.ends.
// First line: how many were refused, and of how many. Then for each line N the CPU time of N passes, in nanoseconds.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

const [library, file, folder] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);

async function reader() {
  if (library === "jsonrepair") {
    const { jsonrepair } = require("jsonrepair");
    return (text) => JSON.parse(jsonrepair(text));
  }
  if (library === "partial-json") {
    const { parse, Allow } = require("partial-json");
    return (text) => parse(text, Allow.ALL);
  }
  const { parsePartialJson } = await import(require.resolve("ai"));
  return async (text) => (await parsePartialJson(text)).value;
}

const read = await reader();
const bytes = readFileSync(file);
const whole = bytes.toString();
if (!isDeepStrictEqual(await read(whole), JSON.parse(whole))) throw new Error(`${library} reads another value`);
const prefixes = readFileSync(`${file}.ends`, "utf8").split(" ").map((end) => bytes.subarray(0, Number(end)).toString());

// The value before is dropped, as whoever shows one has to.
let last;
async function pass() {
  let refused = 0;
  for (const prefix of prefixes) {
    try {
      const value = read(prefix);
      last = value instanceof Promise ? await value : value;
      if (last === undefined) refused += 1;
    } catch {
      refused += 1;
    }
  }
  return refused;
}

console.log(`${await pass()} ${prefixes.length}`);
for await (const line of createInterface({ input: process.stdin })) {
  const start = process.cpuUsage();
  for (let left = Number(line); left > 0; left -= 1) await pass();
  const { user, system } = process.cpuUsage(start);
  console.log(`${(user + system) * 1000}`);
}
