"""Publishes an archive to topics, as a live wire.

Read `publisher` first, which writes to a topic, and `target`, its settings. `progress` finds how far an earlier
publisher came, `skip_published` leaves out what is published already, and `label_delays` delays the answers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
