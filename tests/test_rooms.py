"""Rooms: others come in by the front door, which says what lives there and lists what may be taken."""

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

LAYERS = ("telex.learners", "telex.stream", "telex.adapters")
EXCEPTIONS = {
    # These have the name of a room, of a module, or of another in the same room.
}


def found():
    for layer in LAYERS:
        home = importlib.import_module(layer)
        yield layer, Path(home.__file__), True
        for one in pkgutil.walk_packages(home.__path__, layer + "."):
            spec = importlib.util.find_spec(one.name)
            if spec.origin.endswith(".py"):
                yield one.name, Path(spec.origin), one.ispkg


MODULES = {name: path for name, path, _ in found()}
ROOMS = sorted(name for name, _, is_room in found() if is_room)


def of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("telex."):
            yield from ((node.module, alias.name) for alias in node.names)


TAKEN = [(name, module, member) for name, path in MODULES.items() for module, member in of(path)]


def within(name, room):
    return name == room or name.startswith(room + ".")


def layer_of(name):
    return next(number for number, layer in enumerate(LAYERS) if within(name, layer))


PLUGINS = {"telex.adapters.cli.commands", "telex.adapters.cli.actions"}  # a command is found by its file


@pytest.mark.parametrize("room", sorted({*ROOMS} - PLUGINS))
def test_others_come_in_by_the_front_door(room):
    wrong = [
        f"{name}: from {module} import {member}"
        for name, module, member in TAKEN
        if module.rpartition(".")[0] == room and module not in ROOMS and not within(name, room)
        if not module.rpartition(".")[2].startswith("_") and not member.startswith("_")
        if (module, member) not in EXCEPTIONS
    ]
    assert not wrong, f"import from {room}; tests/test_rooms.py says what may not"


def test_types_too_come_from_no_layer_above():
    wrong = [
        (name, module)
        for name, module, _ in TAKEN
        if layer_of(module) > layer_of(name)
        or (within(name, "telex.learners.base") and not within(module, "telex.learners.base"))
    ]
    assert not wrong


@pytest.mark.parametrize("room", ROOMS)
def test_a_front_door_says_what_lives_there_and_has_what_it_lists(room):
    door = importlib.import_module(room)
    assert door.__doc__
    listed = getattr(door, "__all__", [])
    for name in listed:
        assert getattr(door, name) is not None
        hidden = importlib.util.find_spec(f"{room}.{name}")
        module = getattr(getattr(door, name), "__module__", None)
        assert (
            hidden is None
            or getattr(door, name) is importlib.import_module(f"{room}.{name}")
            or (module == f"{room}.{name}")
        ), f"{room}.{name} is a module and something else"
