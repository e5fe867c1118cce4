"""From a provider's name to a provider that can be asked."""

from __future__ import annotations

from typing import get_args

import pytest

from app.settings import DialectChoice
from providers.catalogue import (
    AddressMissing,
    DialectNotSpoken,
    KeyMissing,
    ModelMissing,
    ProviderOptions,
    SimulatorOptions,
    UnknownProvider,
    all_providers,
    build_provider,
    find_address,
    find_provider,
)
from providers.dialects import DIALECT_IDS
from providers.parts import Stopped
from providers.presets import PRESETS
from providers.provider import Provider
from providers.secret import Secret
from providers.simulator.models import MODELS
from providers.transport import Transport
from tests.talking import CANARY, parts_heard

OWN = {"mine": ProviderOptions(address="http://mine.invalid/v1", model="m")}


def built(name: str, options: dict[str, ProviderOptions] | None = None, **asked: str) -> Provider:
    """The provider of that name, with a key and an empty environment."""
    return build_provider(
        find_provider(name, options),
        transport=Transport(),
        key=Secret(CANARY),
        options=options,
        environment={},
        dialect=asked.get("dialect"),
        model=asked.get("model"),
        base_url=asked.get("base_url"),
    )


def test_every_preset_speaks_dialects_that_we_speak() -> None:
    assert {name for preset in PRESETS.values() for name in preset.dialects} <= set(DIALECT_IDS)


def test_the_settings_accept_exactly_the_dialects_that_we_speak() -> None:
    assert set(get_args(DialectChoice)) == {"", *DIALECT_IDS}


def test_the_simulator_is_offered_with_models_that_it_serves() -> None:
    assert set(PRESETS["simulator"].models) <= set(MODELS)


def test_the_simulator_speaks_every_dialect() -> None:
    assert PRESETS["simulator"].dialects == DIALECT_IDS


@pytest.mark.parametrize("dialect", DIALECT_IDS)
async def test_the_simulator_answers_in_every_dialect(dialect: str) -> None:
    provider = build_provider(
        find_provider("simulator"),
        transport=Transport(),
        dialect=dialect,
        simulator=SimulatorOptions(speed=0),
        environment={},
    )
    assert isinstance((await parts_heard(provider))[-1], Stopped)


def test_an_unknown_provider_names_the_known_ones() -> None:
    with pytest.raises(UnknownProvider) as raised:
        find_provider("nobody", OWN)
    assert {"openai", "mine"} <= set(raised.value.known)


def test_the_first_dialect_is_spoken_unless_another_is_asked_for() -> None:
    assert built("openai").origin.dialect == "openai-responses"
    assert built("openai", dialect="openai-chat").origin.dialect == "openai-chat"


def test_a_dialect_that_is_not_spoken_is_refused() -> None:
    with pytest.raises(DialectNotSpoken) as raised:
        built("anthropic", dialect="gemini")
    assert raised.value.spoken == ("anthropic",)


def test_a_provider_that_needs_a_key_says_which_variables_could_hold_it() -> None:
    with pytest.raises(KeyMissing) as raised:
        build_provider(find_provider("google"), transport=Transport(), environment={})
    assert raised.value.variables == ("GEMINI_API_KEY", "GOOGLE_API_KEY")


def test_a_key_is_not_demanded_at_an_address_of_the_persons_own() -> None:
    provider = build_provider(
        find_provider("openai"),
        transport=Transport(),
        base_url="http://127.0.0.1:9/v1",
        environment={},
    )
    assert provider.key is None


@pytest.mark.parametrize(
    ("base_url", "set_to", "variable", "address"),
    [
        ("http://said", "http://set", "http://variable", "http://said"),
        (None, "http://set", "http://variable", "http://set"),
        (None, "", "http://variable/", "http://variable"),
        (None, "", "", "https://api.openai.com/v1"),
    ],
)
def test_what_is_said_now_beats_the_settings_and_they_the_environment(
    base_url: str | None, set_to: str, variable: str, address: str
) -> None:
    found = find_address(
        find_provider("openai"),
        base_url=base_url,
        options={"openai": ProviderOptions(address=set_to)},
        environment={"OPENAI_BASE_URL": variable},
    )
    assert found == address


@pytest.mark.parametrize(
    ("name", "variable"),
    [("anthropic", "ANTHROPIC_BASE_URL"), ("google", "GOOGLE_GEMINI_BASE_URL")],
)
def test_the_variables_of_the_official_clients_are_obeyed(name: str, variable: str) -> None:
    found = find_address(find_provider(name), environment={variable: "http://gateway"})
    assert found == "http://gateway"


def test_a_provider_of_the_settings_is_one_like_any_other() -> None:
    options = {
        "mine": ProviderOptions(
            title="Mine",
            dialect="anthropic",
            address="http://mine.invalid",
            model="m-1",
            headers={"x-team": "glass"},
        )
    }
    provider = built("mine", options)
    assert (provider.title, provider.model, provider.base_url) == (
        "Mine",
        "m-1",
        "http://mine.invalid",
    )
    assert (provider.origin.dialect, provider.headers) == ("anthropic", {"x-team": "glass"})


def test_a_provider_of_the_settings_needs_a_key_only_when_it_names_a_variable() -> None:
    with_variable = {"mine": ProviderOptions(address="http://a", key_variable="MINE_KEY")}
    assert find_provider("mine", with_variable).key_variables == ("MINE_KEY",)
    assert not find_provider("mine", OWN).needs_key


def test_a_provider_of_the_settings_without_an_address_is_refused() -> None:
    with pytest.raises(AddressMissing):
        built("mine", {"mine": ProviderOptions(model="m")})


def test_a_server_that_has_no_model_of_its_own_wants_one_named() -> None:
    with pytest.raises(ModelMissing):
        built("vllm")
    assert built("vllm", model="qwen3").model == "qwen3"


def test_the_settings_can_change_a_presets_model_and_keep_its_suggestions() -> None:
    preset = find_provider("openai", {"openai": ProviderOptions(model="gpt-9")})
    assert preset.models == ("gpt-9", *PRESETS["openai"].models)


def test_the_settings_dialect_comes_first_and_the_others_stay() -> None:
    preset = find_provider("openai", {"openai": ProviderOptions(dialect="openai-chat")})
    assert preset.dialects == ("openai-chat", "openai-responses")


def test_the_persons_own_providers_are_listed_after_the_presets() -> None:
    assert [preset.id for preset in all_providers(OWN)] == [*PRESETS, "mine"]


def test_a_provider_shows_no_key() -> None:
    assert CANARY not in repr(built("openai"))
