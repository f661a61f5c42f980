"""Anthropic's SDK raises where the tap has cut a reply: its plain stream, and its helper around it."""

import anthropic
import httpx2

from played import Server, hold

MESSAGE = {"model": "any", "max_tokens": 9, "messages": [{"role": "user", "content": "?"}]}


def main():
    with Server() as server:

        def client(path):
            return anthropic.Anthropic(api_key="none", base_url=f"{server.url}/{path}", max_retries=0)

        def messages(path):
            return client(path).messages.create(stream=True, **MESSAGE)

        def messages_helper(path):
            with client(path).messages.stream(**MESSAGE) as stream:
                yield from stream

        # It does not make an error of the connection its own.
        hold("anthropic", messages, anthropic.APIStatusError, httpx2.RemoteProtocolError)
        hold("anthropic", messages_helper, anthropic.APIStatusError, httpx2.RemoteProtocolError)


main()
