"""Morse's code."""

SIGNALS = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
LETTERS = dict(zip(SIGNALS.split(), "abcdefghijklmnopqrstuvwxyz", strict=True))
CODES = {letter: code for code, letter in LETTERS.items()}


def encode(text: str) -> str:
    return " / ".join(" ".join(CODES[letter] for letter in word) for word in text.lower().split())


def decode(signals: str) -> str:
    return " ".join("".join(LETTERS[code] for code in word.split()) for word in signals.split("/"))
