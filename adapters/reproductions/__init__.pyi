from .catalogue import SETTINGS as SETTINGS
from .catalogue import Candid as Candid
from .catalogue import Drawn as Drawn
from .catalogue import Reproduction as Reproduction
from .catalogue import chosen as chosen
from .catalogue import collection as collection
from .catalogue import known_settings as known_settings
from .catalogue import names as names
from .catalogue import reproduction as reproduction
from .catalogue import taken as taken
from .catalogue import titles as titles
from .made import Made as Made
from .made import check_taken as check_taken
from .made import make as make
from .made import make_any as make_any
from .side_by_side import make_all as make_all

__all__ = [
    "SETTINGS",
    "Candid",
    "Drawn",
    "Made",
    "Reproduction",
    "check_taken",
    "chosen",
    "collection",
    "known_settings",
    "make",
    "make_all",
    "make_any",
    "names",
    "reproduction",
    "taken",
    "titles",
]
