"""Names and passwords."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.http.password import Password, hash_password
from telex.learners.base import UsageError

SECRETS = {"plain": "Sésame: öffne dich", "hashed": hash_password("Sésame: öffne dich")}


def basic(text):
    return "Basic " + base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_only_the_right_pair_is_admitted(secret):
    password = Password("prometheus", secret)
    for _ in range(2):  # before and after the right one is known
        assert not password.admits(basic("prometheus:sesame"))
        assert not password.admits(basic("grafana:Sésame: öffne dich"))
        assert not password.admits(basic("prometheus:"))
        assert not password.admits(basic("prometheus"))
        assert not password.admits("Bearer " + basic("prometheus:Sésame: öffne dich")[6:])
        assert password.admits(basic("prometheus:Sésame: öffne dich"))


@given(st.text(max_size=40))
def test_any_header_is_heard(header):
    assert not Password("a", "b").admits(header)


def test_a_hash_tells_nothing_of_the_password():
    assert "Sésame" not in SECRETS["hashed"]
    assert hash_password("x") != hash_password("x")


def test_the_first_line_of_a_file_is_the_secret(tmp_path):
    path = tmp_path / "password"
    path.write_text("open\nnever read\n")
    assert Password.of_file("a", str(path)).admits(basic("a:open"))


@pytest.mark.parametrize(("content", "says"), [(None, "cannot be read"), ("", "is empty"), ("scrypt:?:?", "damaged")])
def test_what_cannot_be_a_secret_is_a_sentence(tmp_path, content, says):
    path = tmp_path / "password"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UsageError, match=says):
        Password.of_file("a", str(path))
