"""Why can the chosen provider not be asked at all, in the person's language?"""

from __future__ import annotations

import click

from app.messages import Messages
from app.scene_words import describe_error
from providers.catalogue import (
    AddressMissing,
    CatalogueError,
    DialectNotSpoken,
    KeyMissing,
    ModelMissing,
    SceneUnplayable,
    UnknownProvider,
)


def refused(error: CatalogueError, texts: Messages) -> click.UsageError:
    """The error of usage that says what is missing and what to do."""
    match error:
        case UnknownProvider(wanted=wanted, known=known):
            said = texts("cli.no_such_provider", name=repr(wanted), known=", ".join(known))
        case DialectNotSpoken(provider=provider, wanted=wanted, spoken=spoken):
            words = ", ".join(spoken)
            said = texts("cli.dialect_not_spoken", provider=provider, name=wanted, known=words)
        case KeyMissing(provider=provider, variables=variables):
            said = texts("cli.key_missing", provider=provider, variables=", ".join(variables))
        case AddressMissing(provider=provider):
            said = texts("cli.address_missing", provider=provider)
        case ModelMissing(provider=provider):
            said = texts("cli.model_missing", provider=provider)
        case SceneUnplayable(error=mistakes):
            said = "\n".join(describe_error(mistakes, texts))
        case _:
            said = str(error)
    return click.UsageError(said)
