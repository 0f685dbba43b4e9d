"""Small collections in the forms of Reuters-21578, RCV1 and WIPO-alpha."""

import numpy as np
import pytest

WORDS = {"grain": "wheat corn harvest tonnes", "metal": "gold silver ounce mine", "ship": "port vessel cargo harbour"}


def record(number, split, topics, title, body, kind="YES"):
    named = "".join(f"<D>{topic}</D>" for topic in topics)
    return (
        f'<REUTERS TOPICS="{kind}" LEWISSPLIT="{split}" NEWID="{number}">\n<DATE>26-FEB-1987 15:01:01.79</DATE>\n'
        f"<TOPICS>{named}</TOPICS><TEXT><TITLE>{title}</TITLE><DATELINE>CHICAGO, March 1 - </DATELINE>"
        f"<BODY>{body}</BODY></TEXT>\n</REUTERS>\n"
    )


@pytest.fixture(scope="session")
def collections(tmp_path_factory):
    """The folder that holds it: 30 training and 12 test documents, three topics, one more among the latter."""
    data = tmp_path_factory.mktemp("collections")
    (data / "reuters21578").mkdir()
    records, topics = [], list(WORDS)
    for i in range(42):
        split, topic = ("TRAIN" if i % 7 < 5 else "TEST"), topics[i % 3]
        words = WORDS[topic].split()
        body = f"The price of {words[i % 4]} and {words[(i // 3) % 4]} rises on day {'abcdefg'[i % 7] * 3}"
        others = [topics[(i + 1) % 3]] if i % 5 == 0 else []
        body += " " + WORDS[others[0]].split()[0] if others else ""
        told = [topic, *others, *(["tea"] if split == "TEST" and i > 35 else [])]
        records.append(record(i + 1, split, told, f"{words[0]} news", body))
    records.append(record(99, "TRAIN", ["grain"], "not of the split", "zzzz", kind="NO"))
    (data / "reuters21578" / "reut2-000.sgm").write_text("<!DOCTYPE lewis SYSTEM 'lewis.dtd'>\n" + "".join(records))
    return data


TOPICS = {"Root": "None", "C1": "CCAT", "C11": "C1", "C12": "C1", "C2": "CCAT", "CCAT": "Root", "GCAT": "Root"}


def topical(seed, count, paths):
    """Documents as {term: weight} of unit length, with the labels of some paths; each label has terms it likes."""
    draw, labels = np.random.default_rng(seed), sorted({label for path in paths for label in path})
    for _ in range(count):
        path = paths[draw.integers(len(paths))]
        own = [10 * labels.index(label) + int(term) for label in path for term in draw.integers(10, size=2)]
        terms = sorted({*own, *draw.integers(10 * len(labels), size=6).tolist()})
        yield {term + 1: round(len(terms) ** -0.5, 6) for term in terms}, path


@pytest.fixture(scope="session")
def rcv1_folder(tmp_path_factory):
    """The folder of collections with 90 documents in ``rcv1``: two trees of topics, one of them with three levels."""
    data = tmp_path_factory.mktemp("collections")
    folder = data / "rcv1"
    folder.mkdir()
    paths = [["CCAT", "C1", "C11"], ["CCAT", "C1", "C12"], ["CCAT", "C2"], ["GCAT"], ["CCAT", "C1"]]
    documents = list(enumerate(topical(1, 90, paths), 1000))
    (folder / "lyrl2004_vectors.dat").write_text(
        "".join(f"{id_}  {' '.join(f'{t}:{w}' for t, w in x.items())}\n" for id_, (x, _) in reversed(documents))
    )
    (folder / "rcv1-v2.topics.qrels").write_text(
        "".join(f"{label} {id_} 1\n" for id_, (_, labels) in documents for label in labels)
    )
    (folder / "rcv1.topics.hier.orig").write_text(
        "".join(f"parent: {above} child: {label} child-description: x\n" for label, above in TOPICS.items())
    )
    return data


@pytest.fixture(scope="session")
def rcv1_tokens(tmp_path_factory):
    """The folder of collections with 90 documents in ``rcv1`` as tokens: six topics, one or two a document."""
    data, draw, stems = tmp_path_factory.mktemp("collections"), np.random.default_rng(4), "abcdef"
    folder = data / "rcv1"
    folder.mkdir()
    tokens, topics = [], []
    for number in range(1000, 1090):
        labels = sorted(set(draw.integers(6, size=2).tolist()))
        words = [f"{stems[label]}{draw.integers(4)}" for label in labels for _ in range(4)]
        words += [f"{stems[label]}{draw.integers(4)}" for label in draw.integers(6, size=2)]
        tokens.append(f".I {number}\n.W\n{' '.join(words)}\n\n")
        topics += [f"T{label} {number} 1\n" for label in labels]
    (folder / "lyrl2004_tokens_test_pt0.dat").write_text("".join(tokens[60:]))
    (folder / "lyrl2004_tokens_train.dat").write_text("".join(tokens[:60]))
    (folder / "rcv1-v2.topics.qrels").write_text("".join(topics))
    return data


PATENTS = [["D", "D/1", "D/1/a"], ["D", "D/1", "D/1/b"], ["D", "D/2"], ["E"]]


def patents():
    """The documents that train, and those that test."""
    return list(topical(2, 40, PATENTS)), list(topical(3, 20, PATENTS))


@pytest.fixture(scope="session")
def wipo_arff(tmp_path_factory):
    """The folder of collections with ``wipo-alpha`` in ARFF."""
    data = tmp_path_factory.mktemp("collections")
    (data / "wipo-alpha").mkdir()
    nodes = ",".join(sorted({label for path in PATENTS for label in path}))
    head = "@relation wipo\n" + "".join(f"@attribute t{k} numeric\n" for k in range(221))
    for name, documents in zip(("train", "test"), patents(), strict=True):
        rows = (
            "{" + ",".join([*(f"{term} {weight}" for term, weight in x.items()), f"221 {path[-1]}"]) + "}\n"
            for x, path in documents
        )
        text = f"{head}@attribute class hierarchical {nodes}\n@data\n{''.join(rows)}"
        (data / "wipo-alpha" / f"{name}.arff").write_text(text)
    return data


@pytest.fixture(scope="session")
def wipo_svmlight(tmp_path_factory):
    """The same as svmlight lines, with the last label of each path alone, and a tree beside."""
    data = tmp_path_factory.mktemp("collections")
    (data / "wipo-alpha").mkdir()
    for name, documents in zip(("train", "test"), patents(), strict=True):
        rows = (f"{path[-1]} {' '.join(f'{term}:{weight}' for term, weight in x.items())}\n" for x, path in documents)
        (data / "wipo-alpha" / f"{name}.svm").write_text("".join(rows))
    nodes = {label: above for path in PATENTS for above, label in zip(["", *path], path, strict=False)}
    tree = "".join(f"{above}\t{label}\n" for label, above in nodes.items())
    (data / "wipo-alpha" / "tree.tsv").write_text(tree)
    return data
