"""What is the agent doing, in one word? Read from its events."""

from __future__ import annotations

from enum import StrEnum

from app import events


class Activity(StrEnum):
    """What the agent does. `chat.activity.<value>` is its word."""

    READY = "ready"
    ASKING = "asking"
    ANSWERING = "answering"
    WAITING = "waiting"
    RUNNING = "running"
    PERMISSION = "permission"
    """It waits for the person's answer about a write."""
    PAUSED = "paused"
    """Whatever it does: the person holds the picture."""


def activity_after(event: events.Event, before: Activity) -> Activity:
    """What the agent does once it has told `event`."""
    match event:
        case events.AttemptStarted():
            return Activity.ASKING
        case events.Received():
            return Activity.ANSWERING
        case events.Waiting():
            return Activity.WAITING
        case events.PermissionAsked():
            return Activity.PERMISSION
        case events.PermissionSettled() | events.CallRunning():
            return Activity.RUNNING
        case _:
            return before
