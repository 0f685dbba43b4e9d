"""Texts become features: tokens, stems, a vocabulary, weights. docs/definitions.md says exactly how."""

from telex.stream.words.words import Rows, Tokens, Words

__all__ = ["Rows", "Tokens", "Words"]
