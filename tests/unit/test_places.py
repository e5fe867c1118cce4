"""Where the app keeps its files."""

from __future__ import annotations

from pathlib import Path

from app.places import find_places


def test_one_variable_puts_everything_below_one_folder(tmp_path: Path) -> None:
    places = find_places({"VITRAL_HOME": str(tmp_path)})
    files = (
        places.settings,
        places.chats,
        places.demo_database,
        places.workspace,
        places.diagnostics,
    )
    assert all(file.is_relative_to(tmp_path) for file in files)


def test_asking_creates_nothing(tmp_path: Path) -> None:
    find_places({"VITRAL_HOME": str(tmp_path / "home")})
    assert not (tmp_path / "home").exists()


def test_the_folders_are_made_on_demand(tmp_path: Path) -> None:
    places = find_places({"VITRAL_HOME": str(tmp_path / "home")})
    places.create()
    places.create()
    assert all(folder.is_dir() for folder in (places.data, places.state, places.config))


def test_without_the_variable_the_systems_own_places_are_used() -> None:
    places = find_places({})
    assert all("vitral" in str(folder) for folder in (places.data, places.state, places.config))


def test_the_home_of_nobody_is_a_folder_of_that_name() -> None:
    places = find_places({"VITRAL_HOME": "~nobody-of-this-name/x"})
    assert places.data.parts[-3:] == ("~nobody-of-this-name", "x", "data")
