"""Declarations of modules are read without importing them."""

from telex.adapters.plugins.module_constants import read_declarations


def test_modules_of_folders_below(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "b.py").write_text('raise ImportError\nFORMATS = {"b": ("B", 1)}\n    FORMATS = 3\n')
    (tmp_path / "a.py").write_text("OTHER = 1\nnames = FORMATS = 2\n")
    (tmp_path / "deep" / "c.py").write_text('FORMATS = {"c": ("C", 2)}\n')
    assert read_declarations(str(tmp_path), "FORMATS") == {"b": {"b": ("B", 1)}, "deep.c": {"c": ("C", 2)}}
