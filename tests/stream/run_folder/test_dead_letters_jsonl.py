"""dead-letters.jsonl: what is written is read back, also from the file of a killed run."""

from hypothesis import given
from hypothesis import strategies as st

from telex.stream import DeadLetter
from telex.stream.run_folder import read_dead_letters
from telex.stream.run_folder.dead_letters_jsonl import DEAD_LETTERS_JSONL, DeadLettersFile

TEXTS = st.text(st.characters(), max_size=6)  # a path may have half a surrogate pair
NUMBERS = st.none() | st.integers(0, 2**62)
RAW = st.binary(max_size=12) | st.text(max_size=6).map(str.encode)


@given(st.lists(st.builds(DeadLetter, RAW, TEXTS, NUMBERS, NUMBERS, TEXTS, TEXTS), max_size=5), st.data())
def test_letters_come_back(tmp_path_factory, letters, data):
    folder = tmp_path_factory.mktemp("letters")
    file, ends = DeadLettersFile(folder / DEAD_LETTERS_JSONL), []
    file.begin(None)
    for letter in letters:
        file.dead_letter(letter)
        ends.append(file.path.stat().st_size)
    file.close()
    assert list(read_dead_letters(folder)) == letters
    cut = data.draw(st.integers(0, file.path.stat().st_size), label="cut")
    file.path.write_bytes(file.path.read_bytes()[:cut])
    assert list(read_dead_letters(folder)) == letters[: sum(end <= cut for end in ends)]


def test_a_folder_without_letters(tmp_path):
    assert list(read_dead_letters(tmp_path)) == []
