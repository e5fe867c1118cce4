"""Which output item of a Responses stream an event is about, and which items go back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from providers.assembly import OpenCall
from providers.shapes import count_in, object_in, text_in
from tools.call import JsonObject

_Place: TypeAlias = int | str


@dataclass(slots=True)
class Item:
    """One output item as far as it came; `whole` is the item of its `output_item.done`."""

    call: OpenCall | None = None
    spoke: bool = False
    """Its text came in deltas: the whole that follows repeats it."""
    whole: JsonObject | None = None
    unfinished: bool = False
    """It was done, but half: a limit ended the answer inside it."""


class OutputItems:
    """The items of one response, in the order in which they began."""

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._places: dict[_Place, Item] = {}

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def begin(self, event: JsonObject) -> Item:
        """The new item that the event tells of."""
        item = self._places[_place(event)] = Item()
        self._items.append(item)
        return item

    def of(self, event: JsonObject) -> Item:
        """The item that the event is about, begun now if nothing told of it before."""
        return self._places.get(_place(event)) or self.begin(event)

    def at(self, index: int) -> Item | None:
        """The item at that `output_index`, if one has begun."""
        return self._places.get(index)

    @property
    def open_call(self) -> bool:
        """A call was begun and never finished."""
        return any(
            item.call is not None and (item.whole is None or item.unfinished)
            for item in self._items
        )

    def native(self) -> tuple[JsonObject, ...]:
        """The items as a replay needs them; none if a text that was shown is not among them.

        A reasoning item without the item that it led to is refused, so it goes where that went.
        """
        if any(item.spoke and item.whole is None for item in self._items):
            return ()
        kept: list[JsonObject] = []
        thoughts: list[JsonObject] = []
        for item in self._items:
            if item.whole is not None and item.whole.get("type") == "reasoning":
                thoughts.append(item.whole)
                continue
            if item.whole is not None and not item.unfinished:
                kept += [*thoughts, item.whole]
            thoughts.clear()
        return tuple(kept)


def _place(event: JsonObject) -> _Place:
    """By `output_index`: some servers change an item's id between its events."""
    index = count_in(event, "output_index")
    if index is not None:
        return index
    return text_in(event, "item_id") or text_in(object_in(event, "item"), "id")
