"""One word has one meaning: no two modules have a public class of the same name."""

import ast
from collections import defaultdict
from pathlib import Path

import telex

ROOT = Path(telex.__file__).parent


def classes(root):
    """Public classes by name, each with the modules that define it."""
    found = defaultdict(set)
    for layer in ("learners", "stream", "adapters"):
        for path in (root / layer).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].add(str(path.relative_to(root)))
    return found


def shared(root):
    return {name: sorted(modules) for name, modules in classes(root).items() if len(modules) > 1}


def test_no_two_modules_have_a_class_of_the_same_name():
    assert len(classes(ROOT)) > 200
    assert not shared(ROOT), "give each class a name of its own, which says what it is"


def test_a_name_that_is_used_twice_is_found(tmp_path):
    for layer, names in {"learners": ["Batch", "_Row"], "stream": ["Batch", "_Row"], "adapters": ["Row"]}.items():
        (tmp_path / layer).mkdir()
        (tmp_path / layer / "one.py").write_text("".join(f"class {name}:\n    pass\n" for name in names))
    assert shared(tmp_path) == {"Batch": ["learners/one.py", "stream/one.py"]}
