"""Which of a text's requests name a thing to do: save, order, write, delete, read a file?

Each clause is heard on its own; what a clause leaves out ("and then delete it") it takes from the
one before. A clause that is no command is left to `providers.simulator.hearing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from providers.simulator.arithmetic import FIGURES, number
from providers.simulator.clauses import Clause
from providers.simulator.phrases import Phrases, plain
from providers.simulator.reading import compact
from providers.simulator.wish import Wish

_STATUSES = ("cancelled", "delivered", "shipped", "paid", "pending")
_UNITS = ("kg", "cm")
_ORDER_NUMBER = re.compile(r"\b\d{3,9}\b")
_KINDS = ("strength", "cardio", "mobility")
_SET: dict[str, object] = {"sets": 3, "repetitions": 10}
_TIME: dict[str, object] = {"minutes": 20}
_MOST_FILES = 8


@dataclass(slots=True)
class Commands:
    """Hears the clauses of one text, in order."""

    phrases: Phrases
    _verb: str = ""
    _file: str = ""

    def hear(self, clause: Clause) -> tuple[Wish, ...]:
        """What the clause wants done; nothing when it is no command."""
        if self._named("search", clause):
            return ()
        for hear in (self._saving, self._routine, self._order, self._files, self._folder):
            if wishes := tuple(hear(clause)):
                return wishes
        return ()

    def joined(self, question: str, parts: Iterable[Clause]) -> Iterator[Clause]:
        """The clauses, with a routine's days and exercises in one: an "and" is between them."""
        routine: Clause | None = None
        for clause in parts:
            if routine and (self._days(clause) or any(self._exercises(clause))):
                text = question[routine.start : clause.end]
                routine = Clause(text, routine.start, clause.end)
                continue
            if routine:
                yield routine
            routine = clause if self._named("routine", clause) else None
            if routine is None:
                yield clause
        if routine:
            yield routine

    def _named(self, subject: str, clause: Clause) -> bool:
        return self.phrases.hear(subject, clause.plain) is not None

    def _saving(self, clause: Clause) -> Iterator[Wish]:
        key = next((key for key in ("height", "weight") if self._named(key, clause)), None)
        figures = FIGURES.search(clause.plain)
        if key is None or figures is None or not self._goes_on("save", clause):
            return
        value = float(number(figures[0], self.phrases.decimal))
        args: dict[str, object] = {"key": key, "value": int(value) if value % 1 == 0 else value}
        unit = next((unit for unit in _UNITS if re.search(rf"\d\s*{unit}\b", clause.plain)), None)
        yield Wish("saved", "save_measurement", compact(args | ({"unit": unit} if unit else {})))

    def _goes_on(self, verb: str, clause: Clause) -> bool:
        """Whether the clause says the verb, or has none and goes on from one that did."""
        if self._named(verb, clause):
            self._verb = verb
        return self._verb == verb

    def _routine(self, clause: Clause) -> Iterator[Wish]:
        if not (self._named("routine", clause) and self._named("make", clause)):
            return
        self._verb = "make"
        args = {
            "name": clause.quoted or self._name_in(clause),
            "days": self._days(clause) or ["monday", "wednesday", "friday"],
            "exercises": list(self._exercises(clause)) or [_exercise("Yoga", "mobility")],
        }
        yield Wish("routine", "create_routine", compact(args))

    def _name_in(self, clause: Clause) -> str:
        """The word after "called"; a routine must have some name."""
        called = self.phrases.hear("called", clause.plain)
        words = clause.plain[called.end() :].split() if called else []
        return words[0].capitalize() if words else self.phrases.hears["routine"][0].capitalize()

    def _days(self, clause: Clause) -> list[str]:
        words = re.findall(r"[\w-]+", clause.plain)
        return [day for day, names in self.phrases.days.items() if not set(names).isdisjoint(words)]

    def _exercises(self, clause: Clause) -> Iterator[dict[str, object]]:
        for kind in _KINDS:
            if found := self.phrases.hear(kind, clause.plain):
                yield _exercise(found[0].capitalize(), kind)

    def _order(self, clause: Clause) -> Iterator[Wish]:
        status = next((one for one in _STATUSES if self._named(one, clause)), None)
        if self._named("orders", clause):
            wanted = compact({"status": status} if status else {})
            yield Wish("orders", "list_orders", wanted)
            return
        found = _ORDER_NUMBER.search(clause.plain)
        if found is None or not self._named("order", clause):
            return
        order = int(found[0])
        if status is None:
            yield Wish("order", "get_order", compact({"order_id": order}))
        else:
            moved = compact({"order_id": order, "new_status": status})
            yield Wish("moved", "update_order_status", moved)

    def _files(self, clause: Clause) -> Iterator[Wish]:
        """What is to be done with the files that the clause names, or with the one before."""
        verb = next((v for v in ("delete", "write", "read") if self._named(v, clause)), None)
        files = clause.files
        if verb is None:
            bare = plain(" ".join(files)) == clause.plain
            verb = self._verb if bare and self._verb in ("delete", "read") else None
        elif not files and self._file and self._named("it", clause):
            files = (self._file,)
        if verb is None or not files:
            return
        self._verb, self._file = verb, files[-1]
        for path in files:
            yield self._of_file(verb, path, clause)

    def _of_file(self, verb: str, path: str, clause: Clause) -> Wish:
        match verb:
            case "write":
                args = {"path": path, "text": self._text_to_write(clause)}
                return Wish("written", "write_file", compact(args))
            case "delete":
                return Wish("deleted", "delete_file", compact({"path": path}))
            case _:
                return Wish("file", "read_file", compact({"path": path}))

    def _text_to_write(self, clause: Clause) -> str:
        """What is quoted, else what is left of the clause without its verb and its file."""
        if clause.quoted is not None:
            return clause.quoted
        left = clause.text.replace(clause.files[-1], " ")
        for subject in ("write", "linking"):
            for word in sorted(self.phrases.hears[subject], key=len, reverse=True):
                left = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " ", left, flags=re.IGNORECASE)
        return " ".join(left.split()) or "…"

    def _folder(self, clause: Clause) -> Iterator[Wish]:
        """ "Read these five files": which they are is looked up first."""
        if self._named("read", clause) and self._named("files", clause) and not clause.files:
            words = re.findall(r"\w+", clause.plain)
            counts = [self.phrases.counts.get(word) or _small_number(word) for word in words]
            most = next((count for count in counts if count), _MOST_FILES)
            self._verb = "read"
            yield Wish("files", "list_files", "{}", reads=most)


def _exercise(name: str, kind: str) -> dict[str, object]:
    return {"name": name, "kind": kind, **(_SET if kind == "strength" else _TIME)}


def _small_number(word: str) -> int:
    return int(word) if re.fullmatch(r"[1-9]\d?", word) else 0
