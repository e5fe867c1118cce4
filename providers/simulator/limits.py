"""How much of an answer fits into the tokens that the request permits?

What comes first is written first: reasoning, then texts and calls in order; a call that does not
fit stops inside its arguments, as a model's does.
"""

from __future__ import annotations

from providers.simulator.reply import CHARACTERS_PER_TOKEN, Ask, Item, Reply


def shortened(reply: Reply, limit: int | None) -> Reply:
    """The reply up to its limit of tokens; the same one if all of it fits."""
    if limit is None:
        return reply
    room = limit * CHARACTERS_PER_TOKEN
    reasoning = reply.reasoning[:room]
    room -= len(reply.reasoning)
    items: list[Item] = []
    for item in reply.items:
        size = len(item) if isinstance(item, str) else len(item.name + item.arguments)
        if room >= size:
            items.append(item)
        elif part := _part(item, room):
            items.append(part)
        room -= size
    return reply if room >= 0 else Reply(tuple(items), reasoning, cut=True)


def _part(item: Item, room: int) -> Item | None:
    """The beginning of an item, if any of it can be seen."""
    if room <= 0:
        return None
    if isinstance(item, str):
        return item[:room]
    fits = room - len(item.name)
    return Ask(item.name, item.arguments[:fits], cut=True) if fits > 0 else None
