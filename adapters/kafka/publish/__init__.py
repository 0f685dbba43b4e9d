"""An archive into topics, as if it were a live wire.

Read `publisher` first, the target that is a topic; `target` is what any target has. `progress` finds how far a former
publisher came, `skip_published` leaves out what is there already, and `label_delays` delays the answers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
