"""Many clients at once on plain sockets, each of whom streams an answer with parallel calls.

Small on purpose: what is measured must be the server, not who asks it. Nothing is decoded but
what tells that the answer is the right one.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.simulating import LOOKUP, post, question

QUESTION = "my height and weight"
WANTED = ['{"key": "height"}', '{"key": "weight"}']
DIALECT = "openai-chat"


@dataclass(frozen=True, slots=True)
class Load:
    """What came of it. `errors` are the answers that were not the right one, in words."""

    answers: int
    fragments: int
    seconds: float
    errors: Sequence[str]

    @property
    def answers_per_second(self) -> float:
        return self.answers / self.seconds

    @property
    def fragments_per_second(self) -> float:
        return self.fragments / self.seconds


async def load(url: str, clients: int, times: int = 1) -> Load:
    """So many clients at once, each asking so many times, one after the other."""
    began = time.perf_counter()
    told = await asyncio.gather(*(_client(url, times) for _ in range(clients)))
    seconds = time.perf_counter() - began
    answers = [answer for answered in told for answer in answered]
    wrong = [problem for body in answers if (problem := _problem(body))]
    fragments = sum(body.count(b"\ndata:") for body in answers)
    return Load(len(answers), fragments, seconds, wrong)


async def _client(url: str, times: int) -> list[bytes]:
    """The answers of one client, who keeps its connection."""
    at = urlsplit(url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    try:
        return [await _answer(reader, writer) for _ in range(times)]
    finally:
        writer.close()
        await writer.wait_closed()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """The head and the chunks of one answer, without their framing."""
    body = post(DIALECT, question(DIALECT, QUESTION, LOOKUP)).body
    writer.write(
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\n"
        b"authorization: Bearer sk-of-nobody\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)
    )
    head = await reader.readuntil(b"\r\n\r\n")
    if b"chunked" not in head.lower():
        return head
    said = [head]
    while size := int(await reader.readline(), 16):
        said.append((await reader.readexactly(size + 2))[:-2])
    await reader.readexactly(2)
    return b"".join(said)


def _problem(answer: bytes) -> str:
    """What is wrong with the answer; "" for nothing."""
    head, _, body = answer.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        return head.decode("latin-1").splitlines()[0]
    lines = [line.removeprefix(b"data: ") for line in body.split(b"\n") if line.strip()]
    if lines[-1].strip() != b"[DONE]":
        return "no end"
    arguments: dict[int, str] = {}
    for line in lines[:-1]:
        for choice in json.loads(line)["choices"]:
            for call in choice["delta"].get("tool_calls") or ():
                piece = call["function"].get("arguments") or ""
                arguments[call["index"]] = arguments.get(call["index"], "") + piece
    got = [json.loads(text) for _, text in sorted(arguments.items())]
    return "" if got == [json.loads(text) for text in WANTED] else f"calls {got}"
