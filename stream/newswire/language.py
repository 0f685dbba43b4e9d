"""The newswire's language: syllables for its words, and sentences of English stop words with gaps."""

SYLLABLES = [onset + vowel for onset in (*"bdfklmnprstv", "br", "dr", "st", "tr") for vowel in "aeio"]
"""64 syllables, the digits with which a word's number is spelt."""

CODAS = [*"nrltkmpgxb", "nd", "rt", "lm", "sk", "nt", "rk"]
"""16 endings of words; names have none."""

HEADLINES = [
    "@ #s # after # #",
    "@ to # # of #",
    "# #s % percent on # #",
    "@ says # still # for #",
    "# of # #s despite # #",
    "@ and @ # over #",
    "# # not # yet, @ says",
    "#, # and # at @",
]
"""Gaps are # for a word, @ for a name, % for a number."""

SENTENCES = [
    "The # # of the # #ed its # on #, and @ said it would not # # #.",
    "@ said that # # #s had been #ed by # of #s.",
    "But # #s and #s of # will # after the # #, which was # by then.",
    "In # it was % #, up from % before # # #ed.",
    '"We have # #s and #, and we will # # #," @ said.',
    "It is the first # #ing of # by @ since # # was #ed.",
    "According to the # #, # # is # than when @ #ed the #.",
    "# and # #s were #ing, with # #s at % and # # at %.",
    "There was no # # from @, whose # # had #ed several # #s.",
    "Some # #s said the # might be too # for any #ed # #.",
    "The # #, a # of #, has #ed # # to @.",
    "If # # does not #, # # will be #ed to # under a # #.",
    "#s of # and # #s are likely to # before the # # of #.",
    "@ and @ #ed # #s on #, with # #ing for #.",
    "They also #ed that # was among # #s, though not the only # #.",
    'He said: "Nobody here has seen # #s like this # #."',
    "As well as the # #, # #s #ed from % to % for every # #.",
    "Regarding the # #, @ said only that # and # # would be # soon.",
    "With # #s #ing, the # of its # # became much less #.",
    "What # #s say of # is what # #s have said of # and # #s.",
]
"""All their words but "percent" are stop words."""
