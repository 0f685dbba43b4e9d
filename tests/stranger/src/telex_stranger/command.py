from dataclasses import dataclass

from telex import Command, Options


@dataclass(frozen=True, kw_only=True)
class MorseOptions(Options):
    words: tuple[str, ...] = ()


def arguments(parser):
    parser.add_argument("words", nargs="+", metavar="WORD", help="what to write")


def run(options):
    from telex_stranger.code import encode

    print(encode(" ".join(options.words)))
    return 0


COMMAND = Command(
    name="morse",
    help="write words in Morse's code",
    description="Write words in Morse's code.",
    epilog="example:\n  telex morse what hath god wrought",
    options=MorseOptions,
    arguments=arguments,
    run=run,
)
