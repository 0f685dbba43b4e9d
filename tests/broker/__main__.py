"""Runs a broker until Ctrl-C: ``python tests/broker [FOLDER]`` prints its host:port.

With a folder its log stays there, and the next start continues it.
"""

from __future__ import annotations

import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from broker.jars import NoBrokerError
from broker.process import Broker


def main() -> int:
    """Run it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            with Broker(Path(sys.argv[1] if len(sys.argv) > 1 else scratch).resolve()) as broker:
                print(broker.address, flush=True)
                signal.pause()
        except NoBrokerError as error:
            print(error, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
