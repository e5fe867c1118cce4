"""A program in a pseudo-terminal, and the screen it has drawn.

`pyte` is the terminal: no system package is needed. A thread reads what the program writes, so
that a wait for a text on the screen is a wait on a condition and never a fixed sleep.
"""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

import pyte

_UNKNOWN_TO_PYTE = re.compile(r"\x1b\[[<=>][0-9;]*[A-Za-z]|\x1b\[\?[0-9;]*\$[a-z]")
"""Keyboard-protocol and mode requests, which pyte would draw as text."""

_KEYS: Mapping[str, str] = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "pageup": "\x1b[5~",
    "end": "\x1b[F",
    "f1": "\x1bOP",
    **{f"ctrl+{letter}": chr(ord(letter) - 96) for letter in "abcdefghijklmnopqrstuvwxyz"},
}


class Terminal:
    """Runs `command` on a screen of `columns` × `rows` characters. Use as a context manager."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        columns: int = 120,
        rows: int = 40,
    ) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._changed = threading.Condition()
        self.written = bytearray()
        """Everything the program wrote, as it came."""
        self._master, slave = pty.openpty()
        self.settings_before = termios.tcgetattr(slave)
        self._slave = slave
        self._set_size(columns, rows)
        self.process = subprocess.Popen(
            list(command),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._closing = False
        self._reader.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._closing = True
        self._reader.join()
        os.close(self._master)
        os.close(self._slave)

    @property
    def text(self) -> str:
        """The screen as it is now, a line a row."""
        with self._changed:
            return "\n".join(self._screen.display)

    @property
    def settings(self) -> list[object]:
        """The terminal's line settings as they are now."""
        return termios.tcgetattr(self._slave)

    def type(self, text: str) -> None:
        """Send characters as a keyboard would."""
        os.write(self._master, text.encode())

    def press(self, *keys: str) -> None:
        """Send named keys, such as `enter`, `escape` or `ctrl+t`."""
        for key in keys:
            self.type(_KEYS[key])

    def resize(self, columns: int, rows: int) -> None:
        """Change the window's size and tell the program."""
        with self._changed:
            self._screen.resize(rows, columns)
        self._set_size(columns, rows)
        os.killpg(self.process.pid, signal.SIGWINCH)

    def wait_for(self, wanted: str | Callable[[str], bool], seconds: float = 30.0) -> str:
        """The first screen with the text (or that satisfies the test); AssertionError if none."""
        seen = (lambda screen: wanted in screen) if isinstance(wanted, str) else wanted
        deadline = time.monotonic() + seconds
        with self._changed:
            while not seen(screen := "\n".join(self._screen.display)):
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    raise AssertionError(f"never on the screen: {wanted!r}\n{screen}")
            return screen

    def wait_end(self, seconds: float = 15.0) -> int:
        """The exit code, once the program has ended."""
        return self.process.wait(seconds)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self) -> None:
        while not self._closing:
            readable, _, _ = select.select([self._master], [], [], 0.1)
            if not readable:
                continue
            try:
                data = os.read(self._master, 65_536)
            except OSError:  # the program has closed its side
                return
            text = _UNKNOWN_TO_PYTE.sub("", self._decode(data))
            with self._changed:
                self.written += data
                self._stream.feed(text)
                self._changed.notify_all()
