"""Features of texts: tokens, stems, a vocabulary and weights. docs/definitions.md has the exact rules."""

from telex.stream.words.words import Rows, Tokens, Words

__all__ = ["Rows", "Tokens", "Words"]
