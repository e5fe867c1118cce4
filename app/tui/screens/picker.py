"""Which provider answers, with which model? Chosen from a list that says which have a key.

Two steps: the provider, then its details, of which every one has a value already, so that Enter
twice is enough. What is chosen comes back as a `Choice`; the session builds the provider.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from textual.worker import get_current_worker

from app.choice import Choice
from app.messages import Messages
from app.tui.ink import Ink, Piece
from app.tui.screens.choice import (
    ChoiceDialog,
    ChoiceScreen,
    FreeChoiceScreen,
    Offer,
    chosen_mark,
)
from app.tui.screens.key_entry import KeyScreen
from providers.catalogue import Options, all_providers, find_provider
from providers.credentials import Credentials, Found, Source
from providers.presets import SIMULATOR, Preset
from providers.secret import Secret

CALM = "none"
"""The choice of no fault at all."""


def provider_title(preset: Preset, messages: Messages) -> str:
    """A provider's name as a person reads it."""
    return messages("picker.simulator") if preset.id == SIMULATOR else preset.title


def key_note(preset: Preset, found: Found | None, messages: Messages) -> str:
    """Whether the provider has a key, and from where."""
    match found:
        case Found(source=Source.ENVIRONMENT, variable=variable):
            return messages("picker.key.environment", variable=variable)
        case Found(source=Source.KEYRING):
            return messages("picker.key.keyring")
        case Found():
            return messages("picker.key.run")
        case None:
            return messages("picker.key.missing" if preset.needs_key else "picker.key.not_needed")


def key_mark(preset: Preset, found: Found | None) -> Piece:
    """The glyph that goes with the note: ready, or not yet."""
    ready = found is not None or not preset.needs_key
    return Piece("✓", Ink.OK) if ready else Piece("·", Ink.DIM)


class PickerScreen(ChoiceDialog[Choice | None]):
    """Lists the providers; taking one opens its details."""

    def __init__(
        self,
        messages: Messages,
        credentials: Credentials,
        options: Options | None = None,
        current: Choice | None = None,
    ) -> None:
        self._credentials = credentials
        self._options = options
        self._current = current
        self._found: Mapping[str, Found] | None = None
        super().__init__(
            messages,
            messages("picker.title"),
            (),
            chosen=current.provider if current else SIMULATOR,
        )
        self.choices = self._listed()

    def on_mount(self) -> None:
        super().on_mount()
        self._look_for_keys()

    def _look_for_keys(self) -> None:
        self.run_worker(self._find_keys(), exclusive=True)

    async def _find_keys(self) -> None:
        """Ask the keyring, which may be slow: the list is there before its answer."""
        found = await self._credentials.list_off_loop(all_providers(self._options))
        if not get_current_worker().is_cancelled:
            self._found = found
            self.replace_choices(self._listed())

    def _listed(self) -> list[Offer]:
        return [self._choice(preset) for preset in all_providers(self._options)]

    def _choice(self, preset: Preset) -> Offer:
        title = provider_title(preset, self.messages)
        if self._found is None and preset.needs_key:
            return Offer(preset.id, title, self.messages("picker.key.looking"))
        found = (self._found or {}).get(preset.id)
        return Offer(
            preset.id, title, key_note(preset, found, self.messages), key_mark(preset, found)
        )

    def take(self, chosen: str) -> None:
        preset = find_provider(chosen, self._options)
        current = self._current
        start = current if current and current.provider == chosen else Choice(chosen)
        start = replace(
            start,
            model=start.model or preset.model or None,
            dialect=start.dialect or preset.dialects[0],
        )
        found = (self._found or {}).get(chosen)
        screen = DetailsScreen(self.messages, preset, start, self._credentials, found)
        self.app.push_screen(screen, self._picked)

    def _picked(self, picked: Choice | None) -> None:
        if picked is not None:
            self.dismiss(picked)
        else:
            self._look_for_keys()


class DetailsScreen(ChoiceDialog[Choice | None]):
    """One provider's details, each with a value; the first line starts it."""

    def __init__(
        self,
        messages: Messages,
        preset: Preset,
        picked: Choice,
        credentials: Credentials,
        found: Found | None,
    ) -> None:
        self._preset = preset
        self._picked = picked
        self._credentials = credentials
        self._found = found
        title = provider_title(preset, messages)
        first = self._first_need(picked, found)
        super().__init__(messages, title, (), chosen=first, filtered=False)
        self.choices = self._rows()

    def _first_need(self, picked: Choice, found: Found | None) -> str:
        if self._preset.needs_key and found is None:
            return "key"
        return "start" if picked.model else "model"

    def _rows(self) -> list[Offer]:
        text, picked = self.messages, self._picked
        rows = [
            Offer("start", text("picker.start"), mark=Piece("▸", Ink.OK)),
            Offer("model", text("picker.model"), picked.model or text("picker.model_missing")),
        ]
        if len(self._preset.dialects) > 1:
            rows.append(Offer("dialect", text("picker.dialect"), picked.dialect or ""))
        if self._preset.key_variables:
            note = key_note(self._preset, self._found, text)
            mark = key_mark(self._preset, self._found)
            rows.append(Offer("key", text("picker.key"), note, mark))
        if self._preset.id == SIMULATOR:
            rows.append(Offer("scene", text("picker.scene"), picked.scene or text("scene.none")))
            rows.append(Offer("fault", text("picker.fault"), picked.fault or text("picker.calm")))
        return rows

    def take(self, chosen: str) -> None:
        match chosen:
            case "start" if self._picked.model:
                self.dismiss(self._picked)
            case "start" | "model":
                self._choose_model()
            case "dialect":
                self._choose_dialect()
            case "key":
                self.app.push_screen(KeyScreen(self.messages, self._preset.title), self._keep_key)
            case "scene":
                self.run_worker(self._choose_scene(), exclusive=True)
            case _:
                self._choose_fault()

    def _choose_model(self) -> None:
        current = self._picked.model or ""
        names = dict.fromkeys(name for name in (current, *self._preset.models) if name)
        choices = [Offer(name, name, mark=chosen_mark(name == current)) for name in names]
        title = self.messages("picker.model")
        screen = FreeChoiceScreen(
            self.messages, title, choices, chosen=current, keys=self.messages("picker.model_keys")
        )
        self.app.push_screen(screen, lambda model: self._change(model=model))

    def _choose_dialect(self) -> None:
        current = self._picked.dialect or ""
        choices = [
            Offer(name, name, self.messages(f"picker.dialect.{name}"), chosen_mark(name == current))
            for name in self._preset.dialects
        ]
        screen = ChoiceScreen(
            self.messages,
            self.messages("picker.dialect"),
            choices,
            chosen=current,
            filtered=False,
        )
        self.app.push_screen(screen, lambda dialect: self._change(dialect=dialect))

    def _choose_fault(self) -> None:
        from providers.faults import FAULTS

        current = self._picked.fault or CALM
        calm = Offer(CALM, self.messages("picker.calm"), mark=chosen_mark(current == CALM))
        faults = [
            Offer(name, name, self.messages(fault.about), chosen_mark(name == current))
            for name, fault in FAULTS.items()
        ]
        title = self.messages("picker.fault")
        screen = ChoiceScreen(self.messages, title, [calm, *faults], chosen=current)
        self.app.push_screen(screen, self._take_fault)

    def _take_fault(self, fault: str | None) -> None:
        if fault is not None:
            self._picked = replace(self._picked, fault=None if fault == CALM else fault)
            self._back_to_start()

    async def _choose_scene(self) -> None:
        from app.tui.screens.scenes import scenes_screen

        screen = await scenes_screen(self.messages, self._picked.scene)
        self.app.push_screen(screen, self._take_scene)

    def _take_scene(self, scene: str | None) -> None:
        from app.tui.screens.scenes import playing

        if scene is not None:
            picked = playing(self._picked, scene)
            self._picked = replace(picked, model=picked.model or self._preset.model or None)
            self._back_to_start()

    def _change(self, *, model: str | None = None, dialect: str | None = None) -> None:
        picked = self._picked
        self._picked = replace(
            picked, model=model or picked.model, dialect=dialect or picked.dialect
        )
        self._back_to_start()

    def _keep_key(self, key: Secret | None) -> None:
        if key:
            self._credentials.set(self._preset.id, key, keep=False)
            self._found = Found(key, Source.RUN)
            self._back_to_start()

    def _back_to_start(self) -> None:
        self.choices = self._rows()
        self.highlight("start")
