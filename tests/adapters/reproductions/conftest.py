"""A small collection in the form of Reuters-21578."""

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
