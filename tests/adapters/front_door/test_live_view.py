"""A run while it goes, in a notebook."""

import sys
import types

import pytest

import telex
from telex.adapters.front_door import live_view

ROWS = [{"text": "gold falls", "labels": ["metals"]}, {"text": "cup final", "labels": ["sport"]}] * 20


@pytest.fixture
def notebook(monkeypatch):
    """What a notebook shows, each time that it is drawn."""
    drawn = []

    class Handle:
        def update(self, text):
            drawn.append(text)

    display = types.SimpleNamespace(HTML=str, display=lambda text, display_id: Handle())
    shell = types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell, display=display))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return drawn


def test_it_is_drawn_again_and_again(notebook, monkeypatch):
    monkeypatch.setattr(live_view, "_EVERY", 0.0)
    monkeypatch.setattr(live_view, "_COST", 0)
    run = telex.replay(ROWS, ["mmp"], points=10).show()
    assert run.finished
    assert "0 documents" in notebook[0]
    assert "10 documents" in "".join(notebook[1:-1])
    assert "40 documents" in notebook[-1]
    assert "<polyline" in notebook[-1]


def test_what_a_cell_shows_is_the_run_alone(notebook):
    page = telex.replay(ROWS, ["mmp"])._repr_html_()
    assert len(notebook) >= 2
    assert notebook[-1] == ""
    assert "40 documents" in page


def test_without_a_notebook_the_terminal_shows_it(capsys):
    assert telex.replay(ROWS, ["mmp"]).show().finished
    assert "* best of its column" in capsys.readouterr().err


def test_a_shell_without_a_kernel_is_no_notebook(monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=types.SimpleNamespace))
    assert live_view.notebook_display() is None
