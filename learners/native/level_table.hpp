// Names of a level's table of functions: TELEX_NAMED(trees_) is trees_v3, and TELEX_LEVEL_NAME the text "v3".
#pragma once

#define TELEX_PASTE(a, b) a##b
#define TELEX_PASTED(prefix, level) TELEX_PASTE(prefix, level)
#define TELEX_NAMED(prefix) TELEX_PASTED(prefix, TELEX_LEVEL)
#define TELEX_TEXT(level) #level
#define TELEX_TEXT_OF(level) TELEX_TEXT(level)
#define TELEX_LEVEL_NAME TELEX_TEXT_OF(TELEX_LEVEL)
