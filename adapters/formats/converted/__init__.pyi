from .converted import Converted as Converted
from .converted_file import ENDING as ENDING
from .converted_file import ConvertedFile as ConvertedFile
from .layout import MAGIC as MAGIC
from .layout import Contents as Contents
from .mapped_file import MappedFile as MappedFile
from .sound_documents import SoundDocuments as SoundDocuments

__all__ = [
    "ENDING",
    "MAGIC",
    "Contents",
    "Converted",
    "ConvertedFile",
    "MappedFile",
    "SoundDocuments",
]
