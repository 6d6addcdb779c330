"""A notebook's process, or a copy of it, as the host sees it: it performs one step after another."""

import errno
import socket
from collections.abc import Callable
from typing import Any

from autograder.errors import InfrastructureError

from ..inside import protocol
from ..inside.shared_arrays import SharedMemory
from .outcome import Outcome
from .refusals import Refusals
from .steps import GRACE_SECONDS
from .time_limit import TimeLimit

MACHINE_IS_FULL = {errno.ETOOMANYREFS, errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}  # not its fault
MOST_STATEMENTS, MOST_INTERRUPTS = 200, 20  # of one cell


class RemoteProcess:
    """A notebook's process, seen from the host: its number inside, and its socket."""

    def __init__(self, pid: int, channel: socket.socket, refusals: Refusals) -> None:
        self.pid, self.channel, self.refusals = pid, channel, refusals
        self.statement = [0, 1]  # that runs, of the cell that runs: its number, and its line
        self.channel.setblocking(False)
        self.gone: Outcome | None = None

    def perform(
        self,
        request: dict[str, Any],
        watch: TimeLimit,
        most: int,
        interrupt: Callable | None = None,
        descriptor: SharedMemory | socket.socket | None = None,
    ) -> dict[str, Any] | None:
        """Send one step, within a time limit; return its reply, or None if there is no valid one.

        ``descriptor`` goes along with the request: memory that both sides see, or one end of a new connection.
        Errors: InfrastructureError if this machine has no room for the message.
        """
        self.statement = [0, 1]
        try:
            protocol.send(self.channel.fileno(), request, self.refusals.also(watch.wait))
            if descriptor is not None:
                socket.send_fds(self.channel, [b"s"], [descriptor.fileno()])
            return self.hear(watch, most, 2 * len(request.get("calls", ())) or MOST_STATEMENTS, interrupt)
        except protocol.Deadline:
            return None
        except (OSError, protocol.WireError) as error:
            if isinstance(error, OSError) and error.errno in MACHINE_IS_FULL:
                raise InfrastructureError(f"no room for a message to the sandbox ({error.strerror})") from error
            return None

    def hear(self, watch: TimeLimit, most: int, left: int, interrupt: Callable | None) -> dict[str, Any]:
        """Receive the whole reply, up to a number of bytes.

        The process may tell ``left`` times that it goes on to the next call or statement, whose time then begins. When
        its time is over it is interrupted, if it can be, and has a moment more to reply, to go on, or to say where it
        was stopped.
        Errors: Deadline if the time is over.
        """
        limit, interrupts = watch, MOST_INTERRUPTS if interrupt else 0
        while True:
            try:
                reply = protocol.receive(self.channel.fileno(), self.refusals.also(limit.wait), most)
            except protocol.Deadline:
                if limit is not watch:
                    limit.end()
                    watch.spent += limit.spent
                if limit is not watch or interrupts == 0 or not interrupt:
                    raise
                interrupt()
                limit, interrupts = TimeLimit(watch.measure, GRACE_SECONDS, GRACE_SECONDS), interrupts - 1
                continue
            is_asked_to_end = limit is not watch and isinstance(reply, dict) and "stopped" in reply
            if is_asked_to_end or not (left and isinstance(reply, dict) and self.goes_on(reply)):
                return reply
            left -= 1
            watch.end()
            if limit is not watch:
                limit.end()
                watch.spent, limit = watch.spent + limit.spent, watch
            watch.begin()

    def goes_on(self, reply: dict[str, Any]) -> bool:
        """Say whether a reply only tells that the process goes on, to the next call or to this statement."""
        if isinstance(place := reply.get("statement"), list) and list(map(type, place)) == [int, int]:
            self.statement = place
            return True
        return "answered" in reply

    def close(self) -> None:
        """Close the connection."""
        self.channel.close()
