"""OpenAI's SDK raises where the tap has cut a reply: its plain streams, and its helpers around them."""

import openai

from played import Server, hold

CHAT = {"model": "any", "messages": [{"role": "user", "content": "?"}]}
RESPONSE = {"model": "any", "input": "?"}


def main():
    with Server() as server:

        def client(path):
            return openai.OpenAI(api_key="none", base_url=f"{server.url}/{path}", max_retries=0)

        def chat(path):
            return client(path).chat.completions.create(stream=True, **CHAT)

        def chat_helper(path):
            with client(path).chat.completions.stream(**CHAT) as stream:
                yield from stream

        def responses(path):
            return client(path).responses.create(stream=True, **RESPONSE)

        def responses_helper(path):
            with client(path).responses.stream(**RESPONSE) as stream:
                yield from stream

        hold("openai", chat, openai.APIError, openai.APIConnectionError)
        hold("openai", chat_helper, openai.APIError, openai.APIConnectionError)
        hold("responses", responses, openai.APIError, openai.APIConnectionError)
        hold("responses", responses_helper, openai.APIError, openai.APIConnectionError)


main()
