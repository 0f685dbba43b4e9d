"""The real collections, as their papers and READMEs count them."""

import datetime
import math
import re
from collections import Counter
from itertools import pairwise

import pytest

from telex.adapters.formats import open_archive
from telex.stream.sources import DeadLetter


def read(path, *more, **options):
    """All stories of a collection as columns; a dead letter fails."""
    ids, times, titles, texts, labels = [], [], [], [], []
    for item in open_archive(path, *more, **options):
        assert not isinstance(item, DeadLetter), str(item)
        ids += item.ids
        times += item.times.tolist()
        titles += item.titles
        texts += item.texts
        labels += item.labels
    assert len(set(ids)) == len(ids)
    return ids, times, titles, texts, labels


def day(time):
    return datetime.datetime.fromtimestamp(time, datetime.UTC).strftime("%Y-%m-%d %H:%M:%S")


@pytest.fixture(scope="module")
def reuters(data):
    return read(data / "reuters21578")


def test_reuters_counts(reuters):
    ids, _, titles, texts, labels = reuters
    assert len(ids) == 21_578
    assert sorted(map(int, ids)) == list(range(1, 21_579))
    with_topic = [i for i, topics in enumerate(labels) if topics]
    assert len(with_topic) == 11_367
    assert len({topic for topics in labels if topics for topic in topics}) == 120
    assert sum(topics == [] for topics in labels) == 2_117
    assert sum(topics is None for topics in labels) == 8_094
    assert sum(bool(titles[i]) and not texts[i] for i in with_topic) == 928
    assert sum(not titles[i] and bool(texts[i]) for i in with_topic) == 62
    assert not any(re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text) for text in texts)
    assert not any("&lt;" in text or "&#" in text for text in texts)
    print("mean characters of a text:", sum(map(len, texts)) / len(texts))


def test_reuters_times(reuters):
    ids, times, *_ = reuters
    assert times == sorted(times)
    assert (day(times[0]), day(times[-1])) == ("1987-02-26 15:01:01", "1987-10-20 22:53:18")
    by_id = dict(zip(map(int, ids), times, strict=True))
    assert day(by_id[17_192]).endswith("00:00:00")
    assert day(by_id[15_370]) == "1987-04-09 00:00:00"
    in_file = [by_id[i] for i in range(1, 21_579) if i != 17_192]
    minutes = [math.floor(time / 60) for time in in_file]
    assert sum(a > b for a, b in pairwise(minutes)) == 470
    assert sum(a > b for a, b in pairwise(in_file)) > 470


def test_reuters_modapte(data):
    train = read(data / "reuters21578", split="modapte-train", order="file")
    test = read(data / "reuters21578", split="modapte-test", order="file")
    assert (len(train[0]), len(test[0])) == (9_603, 3_299)
    categories = {topic for topics in train[4] for topic in topics}
    assert len(categories) == 115
    assert len(categories & {topic for topics in test[4] for topic in topics}) == 90


def test_reuters_places(data):
    places = read(data / "reuters21578" / "reut2-000.sgm.xz", labels="places", labelled="some", order="file")[4]
    labels = Counter(label for labels in places for label in labels)
    known = (data / "reuters21578" / "all-places-strings.lc.txt").read_text().split()
    assert labels.keys() <= set(known)
    assert labels.most_common(1)[0][0] == "usa"


def test_newsgroups(data):
    archive = data / "newsgroups20" / "20_newsgroups_19997.tar.xz"
    ids, times, titles, _, labels = read(archive)
    assert len(ids) == 19_997
    assert sum(map(math.isnan, times)) == 1
    assert ids[next(i for i, time in enumerate(times) if math.isnan(time))] == "20_newsgroup/sci.med/58983"
    known = [time for time in times if not math.isnan(time)]
    assert known == sorted(known)
    assert all(labels)
    assert 6_090 < sum(len(groups) > 1 for groups in labels) <= 6_106
    # a post lies in a group's folder because it was sent there
    assert sum(name.split("/")[1] in groups for name, groups in zip(ids, labels, strict=True)) > 19_900
    assert sum(bool(title) for title in titles) > 19_900
    folders = Counter(group for groups in read(archive, labels="folder")[4] for group in groups)
    assert (len(folders), sum(folders.values()), min(folders.values())) == (20, 19_997, 997)


def test_newsml(data):
    path = data / "rcv1" / "2330newsML.xml"
    (name,), (time,), (title,), (text,), (labels,) = read(path)
    assert (name, day(time), title) == ("2330", "1996-08-20 00:00:00", "Tylan stock jumps; weighs sale of company.")
    assert text.startswith("The stock of Tylan General Inc. jumped Tuesday")
    assert "Goldman, Sachs & Co." in text
    assert text.count("\n\n") == 0
    assert labels == ["C15", "C152", "C18", "C181", "CCAT"]
    assert read(path, labels="regions+industries")[4] == [["USA", "I34420"]]


def test_lyrl_tokens_are_the_documents_of_the_vectors(data, rcv1):
    ids, times, _, texts, labels = read(data / "rcv1" / "lyrl2004_tokens.dat.gz")
    assert len(ids) == len(rcv1) == 17_189
    assert list(map(int, ids)) == sorted(map(int, ids))
    assert all(map(math.isnan, times))
    assert labels == [sorted(topics) for _, topics in rcv1]
    assert [len(set(text.split())) for text in texts] == [len(terms) for terms, _ in rcv1]
