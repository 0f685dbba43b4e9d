"""A broker of our own: started, killed, held still and started again on what it had."""

from __future__ import annotations

import base64
import signal
import socket
import subprocess
import time
import uuid
from typing import TYPE_CHECKING

from broker.jars import NoBrokerError, classpath

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Self

JAVA = ("java", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp")
PATIENCE = 90.0  # seconds that starting may take on a busy machine
HOST = "127.0.0.1"


class Broker:
    """One Kafka node on 127.0.0.1, with its log in ``folder``.

    ``settings`` go over those that a broker for tests has. ``users`` (name: password) may come in by SASL PLAIN at
    ``sasl_address``, beside the open listener at ``address``. The ports stay the same as long as the object lives, so
    that clients find a broker that was started again.
    """

    def __init__(
        self, folder: Path, settings: Mapping[str, object] | None = None, users: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._classpath = classpath()
        port, controller, sasl = _free_ports(3)
        self.address = f"{HOST}:{port}"
        self.sasl_address = f"{HOST}:{sasl}" if users else None
        self._settings = {**_usual(folder, port, controller), **(_sasl(users) if users else {}), **(settings or {})}
        if users:
            for name in ("listeners", "advertised.listeners"):
                self._settings[name] = f"{self._settings[name]},SASL://{self.sasl_address}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """The number of the process, None where none runs."""
        return self._process.pid if self._process else None

    def start(self) -> Self:
        """Start, on what is in the folder; return when the broker takes requests."""
        properties = self.folder / "server.properties"
        properties.write_text("".join(f"{name}={value}\n" for name, value in self._settings.items()))
        with (self.folder / "log").open("ab") as log:
            if not (self.folder / "data" / "meta.properties").exists():
                # The first bits are set to 0: a name that begins with - would be taken for an option.
                name = base64.urlsafe_b64encode(b"\0" + uuid.uuid4().bytes[1:]).decode().rstrip("=")
                _run(self._classpath, "kafka.tools.StorageTool", "format", "--standalone", "-t", name, "-c", properties)
            # A session of its own, so that the terminal's Ctrl-C ends the tests and these the broker, in this order.
            self._process = subprocess.Popen(
                [*JAVA, self._classpath, "kafka.Kafka", str(properties)],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        try:
            self._wait()
        except BaseException:
            self.kill()
            raise
        return self

    def stop(self) -> None:
        """End the process in order."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End as in a fault: nothing is written any more."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Hold the process still: connections stay, nothing answers."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it continue after :meth:`pause`."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        if self._process:
            self._process.send_signal(number)

    def _end(self, number: int) -> None:
        if self._process:
            self._process.send_signal(number)
            self._process.send_signal(signal.SIGCONT)
            self._process.wait(PATIENCE)
            self._process = None

    def _wait(self) -> None:
        from kafka import KafkaAdminClient  # noqa: PLC0415 - slow to import, and only here
        from kafka.errors import KafkaError  # noqa: PLC0415

        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                last = (self.folder / "log").read_text(errors="replace").splitlines()[-5:]
                raise NoBrokerError("the broker ended while it started: " + " | ".join(last))
            try:
                # The client leaves sockets open behind itself that were refused.
                socket.create_connection((HOST, int(self.address.rpartition(":")[2])), 1.0).close()
                KafkaAdminClient(bootstrap_servers=self.address, bootstrap_timeout_ms=5000).close()
            except (OSError, KafkaError):
                time.sleep(0.1)
            else:
                return
        raise NoBrokerError(f"the broker took no request within {PATIENCE:g} seconds; see {self.folder / 'log'}")


def _run(classpath: str, *command: object) -> None:
    done = subprocess.run([*JAVA, classpath, *map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoBrokerError(f"{command[0]} failed: {(done.stderr + done.stdout).strip()[:500]}")


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind((HOST, 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def _usual(folder: Path, port: int, controller: int) -> dict[str, object]:
    return {
        "process.roles": "broker,controller",
        "node.id": 1,
        "controller.quorum.bootstrap.servers": f"{HOST}:{controller}",
        "controller.listener.names": "CONTROLLER",
        "listeners": f"PLAINTEXT://{HOST}:{port},CONTROLLER://{HOST}:{controller}",
        "advertised.listeners": f"PLAINTEXT://{HOST}:{port}",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL:SASL_PLAINTEXT",
        "log.dirs": folder / "data",
        "num.partitions": 1,
        "auto.create.topics.enable": "false",
        "broker.heartbeat.interval.ms": 500,
        "broker.session.timeout.ms": 3000,  # one that was killed is known as gone after this, and may begin again
        "group.initial.rebalance.delay.ms": 0,
        "group.min.session.timeout.ms": 1000,
        "offsets.topic.replication.factor": 1,
        "offsets.topic.num.partitions": 2,
        "transaction.state.log.replication.factor": 1,
        "transaction.state.log.min.isr": 1,
        "transaction.state.log.num.partitions": 2,
        "transaction.abort.timed.out.transaction.cleanup.interval.ms": 1000,
        "share.coordinator.state.topic.replication.factor": 1,
        "share.coordinator.state.topic.min.isr": 1,
        # Records of tests are of 1970 and of 1996: by the usual retention they would be gone within minutes.
        "log.retention.ms": -1,
        # A log of a test is small; preallocated or cleaned, it would be slower.
        "log.cleaner.enable": "false",
        "log.index.size.max.bytes": 65536,
    }


def _sasl(users: Mapping[str, str]) -> dict[str, object]:
    known = " ".join(f'user_{name}="{password}"' for name, password in users.items())
    module = "org.apache.kafka.common.security.plain.PlainLoginModule"
    return {
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.sasl.sasl.enabled.mechanisms": "PLAIN",
        "listener.name.sasl.plain.sasl.jaas.config": f"{module} required {known};",
    }
