"""`vitral keys`: which providers have a key, and from where? Sets and forgets keys.

A key is never an argument, where other users and the shell's history could read it: it is typed
unseen, or comes from standard input.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from app.cli.codes import Code
from app.cli.options import json_option
from app.cli.output import write_json, write_line
from app.cli.teaching import TaughtGroup, taught, teach
from app.messages import Messages

if TYPE_CHECKING:
    from providers.credentials import Found
    from providers.presets import Preset
    from providers.secret import Secret


def command(texts: Messages) -> TaughtGroup:
    """`keys` in a language."""
    group = TaughtGroup(
        "keys",
        help=texts("cli.keys.help"),
        short_help=texts("cli.keys.short"),
        options_metavar=texts("cli.metavar.options"),
        subcommand_metavar=texts("cli.metavar.command"),
    )
    teach(group, texts, texts("cli.keys.examples"))
    group.add_command(_set(texts), "set")
    group.add_command(_list(texts), "list")
    group.add_command(_delete(texts), "delete")
    return group


def _set(texts: Messages) -> click.Command:
    def run(provider: str, language: str | None) -> int:
        from providers.credentials import Credentials, Source

        preset = _preset(provider, texts)
        kept = Credentials().set(preset.id, _read_key(preset, texts))
        if kept is not Source.KEYRING:
            variables = ", ".join(preset.key_variables) or "–"
            raise click.ClickException(texts("cli.keys.no_keyring", variables=variables))
        write_line(texts("cli.keys.kept", provider=preset.title), err=True)
        return Code.ANSWERED

    return taught("keys.set", texts, run, [_provider_argument(texts)])


def _list(texts: Messages) -> click.Command:
    def run(as_json: bool, language: str | None) -> int:
        from providers.credentials import Credentials

        credentials = Credentials()
        for preset in _presets():
            found = credentials.find(preset)
            if as_json:
                write_json(
                    {
                        "provider": preset.id,
                        "needs_key": preset.needs_key,
                        "source": found.source.value if found else None,
                        "variable": found.variable or None if found else None,
                    }
                )
            else:
                write_line(f"{preset.id:<12} {_where(preset, found, texts)}")
        return Code.ANSWERED

    return taught("keys.list", texts, run, [json_option(texts)])


def _delete(texts: Messages) -> click.Command:
    def run(provider: str, language: str | None) -> int:
        from providers.credentials import Credentials, Source

        preset = _preset(provider, texts)
        credentials = Credentials()
        key = "cli.keys.deleted" if credentials.delete(preset.id) else "cli.keys.none_kept"
        write_line(texts(key, provider=preset.title), err=True)
        left = credentials.find(preset)
        if left and left.source is Source.ENVIRONMENT:
            write_line(texts("cli.keys.still_set", variable=left.variable), err=True)
        return Code.ANSWERED

    return taught("keys.delete", texts, run, [_provider_argument(texts)])


def _provider_argument(texts: Messages) -> click.Argument:
    return click.Argument(["provider"], metavar=texts("cli.metavar.provider"))


def _presets() -> tuple[Preset, ...]:
    from app.places import find_places
    from app.settings_file import load_settings
    from providers.catalogue import all_providers

    return all_providers(load_settings(find_places().settings).settings.provider_options)


def _preset(provider: str, texts: Messages) -> Preset:
    presets = {preset.id: preset for preset in _presets()}
    if provider not in presets:
        known = ", ".join(presets)
        raise click.UsageError(texts("cli.no_such_provider", name=repr(provider), known=known))
    return presets[provider]


def _read_key(preset: Preset, texts: Messages) -> Secret:
    from providers.secret import Secret

    if sys.stdin.isatty():
        prompt = texts("cli.keys.prompt", provider=preset.title)
        typed = click.prompt(prompt, hide_input=True, default="", show_default=False, err=True)
    else:
        typed = sys.stdin.readline()
    key = Secret(typed)
    if not key:
        raise click.UsageError(texts("cli.keys.empty"))
    if not key.sendable:
        raise click.UsageError(texts("cli.keys.unsendable"))
    return key


def _where(preset: Preset, found: Found | None, texts: Messages) -> str:
    if found is None:
        return texts("cli.keys.missing" if preset.needs_key else "cli.keys.not_needed")
    return texts(f"cli.keys.source.{found.source.value}", variable=found.variable)
