"""What a broker runs on: an installed Kafka, or its jars, fetched once."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from xml.etree import ElementTree

POM = Path(__file__).with_name("pom.xml")
MAVEN = "{http://maven.apache.org/POM/4.0.0}"
MINUTES = 10  # that fetching may take


class NoBrokerError(Exception):
    """Why there is no broker, and how to get one."""


def classpath() -> str:
    """Return the classpath of Kafka's server: ``$KAFKA_HOME``'s, else that of the jars that Maven fetches."""
    if not shutil.which("java"):
        raise NoBrokerError("there is no java; install a Java of 17 or later, or set TELEX_TEST_KAFKA=host:port")
    if home := os.environ.get("KAFKA_HOME"):
        libraries = Path(home) / "libs"
        if not any(libraries.glob("kafka_*.jar")):
            raise NoBrokerError(f"KAFKA_HOME={home} has no libs/kafka_*.jar; set it to the folder of an unpacked Kafka")
        return f"{libraries}/*"
    return f"{_fetched()}/*"


def _fetched() -> Path:
    named = os.environ.get("TELEX_KAFKA_JARS")
    cache = Path(named) if named else Path.home() / ".cache" / "telex-test-kafka"
    folder = cache / ElementTree.parse(POM).getroot().findtext(f"{MAVEN}properties/{MAVEN}kafka.version", "")
    if folder.is_dir():
        return folder
    if not shutil.which("mvn"):
        raise NoBrokerError(
            "there is no Kafka: install Maven (about 60 MB are fetched once), "
            "set KAFKA_HOME to an unpacked Kafka, or TELEX_TEST_KAFKA=host:port"
        )
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():  # another process may have fetched them meanwhile
            _fetch(folder)
    return folder


def _fetch(folder: Path) -> None:
    # A folder that is there is whole: it gets its name when all jars are in it.
    with tempfile.TemporaryDirectory(dir=folder.parent) as partial:
        command = ["mvn", "-q", "-B", "-f", str(POM), "dependency:copy-dependencies", "-DincludeScope=runtime"]
        command.append(f"-DoutputDirectory={partial}/jars")
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES, check=False)
        except subprocess.TimeoutExpired as error:
            raise NoBrokerError(f"Maven fetched no jars of Kafka within {MINUTES} minutes") from error
        if done.returncode:
            said = (done.stdout + done.stderr).strip().splitlines() or ["it said nothing"]
            raise NoBrokerError(f"Maven could not fetch the jars of Kafka: {said[0][:300]}")
        Path(partial, "jars").rename(folder)
