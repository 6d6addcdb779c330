"""The first process inside the sandbox: a warm interpreter that forks. It knows no answer, exercise or host file.

It loads the shell once and then only obeys the host's orders: begin, again, use, signal, stop, end, tidy, sweep. It
never runs a line of a notebook and never sees a question, so a fork of it holds nothing of earlier notebooks. Only the
kernel's numbers of processes and files go on. The kernel shields it from every signal sent from inside. A notebook is
one such fork: notebook_process.py.

warm_worker.py starts it as a script, with the files that bubblewrap.py lists beside it.
"""

import ctypes
import gc
import os
import signal
import socket
import time
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import proc
import protocol
from kernel_limits import apply_limits, refuse_calls
from memory import MemoryGuard
from notebook_process import Notebook, answer
from processes import END_SECONDS, exit_code, is_alive, receive_socket, stop, used
from unavailable import leave_rights_and_times
from working_folder import WORK, WRITABLE, emptied, standing, swept, write_files

SET_DUMPABLE, SET_CHILD_SUBREAPER = 4, 36  # prctl(2)


def main() -> None:
    """Load the shell and notebooks' usual imports, then obey until the host hangs up."""
    host = socket.socket(fileno=os.dup(0))
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    prctl = ctypes.CDLL(None).prctl
    prctl(SET_DUMPABLE, 0, 0, 0, 0)  # no process here may inspect another
    prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # we reap orphans
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = protocol.receive(host.fileno())
    write_files(settings["files"])
    shell = start_shell(settings["limits"]["output_bytes"])
    warm_up(shell, settings["warm"])
    proc.close_door()
    gc.collect()
    gc.freeze()  # the collector would write to every object, and each write after a fork copies a page
    gc.set_threshold(100_000)
    protocol.send(host.fileno(), {"ready": True})
    Worker(host, shell, settings).obey()
    os._exit(0)  # the first process is gone, and everything inside with it


def start_shell(output_bytes: int) -> Any:
    """Load IPython and NumPy once; each fork inherits them."""
    import notebook_shell

    return notebook_shell.NotebookShell.create(output_bytes)


def warm_up(shell: Any, sources: list[str]) -> None:
    """Run some cells and a call once, so that no notebook pays for loading what they use; forget their names."""
    names = dict(shell.user_ns)
    for source in sources:
        shell.run(source, "warm")
    answer(protocol.decode, [protocol.encode(list(names))], {})
    shell.displayhook.flush()  # of values that cells ended with: _, __ and Out
    shell.outputs.clear()
    shell.execution_count = 1
    shell.user_ns.clear()
    shell.user_ns.update(names)


class Worker:
    """The first process: forks notebooks, ends processes, and checks that its state is as at the start."""

    def __init__(self, host: socket.socket, shell: Any, settings: dict[str, Any]) -> None:
        self.host, self.shell, self.settings = host, shell, settings
        self.alone = os.getpid() == 1  # every other visible process comes from a notebook
        self.at_start = standing()
        self.watch = MemoryGuard(settings["memory"], WRITABLE) if self.alone and "memory" in settings else None
        self.used = False

    def obey(self) -> None:
        """Obey one order after another until the host closes its end."""
        orders: dict[str, Any] = {
            "begin": self.begin,
            "again": self.again,
            "signal": self.signal,
            "end": self.end,
            "tidy": self.tidy,
        }
        orders |= {"use": self.use, "stop": self.stop, "sweep": self.sweep}
        while (order := self.next_order()) is not None:
            protocol.send(self.host.fileno(), orders[order.pop("do")](**order))

    def next_order(self) -> dict[str, Any] | None:
        """Wait for an order, enforcing the memory limit if the kernel does not; None at the end of the stream."""
        if self.watch:
            self.watch.until_ready(self.host.fileno())
        return protocol.receive(self.host.fileno())

    def begin(self) -> dict[str, int | None]:
        """Remove everything the last notebook left, and fork a new one; ``pid`` is None if that is in doubt."""
        channel = receive_socket(self.host)
        sound = self.restored() if self.settings["reusable"] else not self.used
        self.used = True
        if sound:
            return self.fork(channel)
        channel.close()
        return {"pid": None}

    def restored(self) -> bool:
        """Reset the shared folders and processes; False if that fails."""
        if not self.tidy(())["gone"] or standing() != self.at_start or not emptied(WRITABLE):
            return False
        Path(WORK).mkdir()
        os.chdir(WORK)
        write_files(self.settings["files"])
        return True

    def again(self) -> dict[str, int | None]:
        """Fork the same notebook once more, with its folder as it is, after a cell has cost the last copy."""
        return self.fork(receive_socket(self.host))

    def fork(self, channel: socket.socket) -> Any:
        """Fork a notebook that uses ``channel``."""
        pid = os.fork()
        if pid:
            channel.close()
            return {"pid": pid}
        self.host.close()
        proc.leave()
        os.setpgid(0, 0)
        apply_limits(self.settings["limits"])
        if "filters" in self.settings:
            refuse_calls(self.settings["filters"], partial(self.hand_over, channel))
        leave_rights_and_times()
        Notebook(self.shell, channel).serve()

    def hand_over(self, channel: socket.socket, listener: int | None) -> None:
        """Give the host the descriptor that decides on refused calls, if there is one, and keep none."""
        if listener is None:
            channel.sendall(b"-")
            return
        socket.send_fds(channel, [b"l"], [listener])
        os.close(listener)

    def signal(self, pid: int, sign: int) -> dict:
        """Signal one process of the notebook."""
        with suppress(ProcessLookupError, PermissionError, OverflowError):
            if pid > 1:
                os.kill(pid, sign)
        return {}

    def use(self, pid: int) -> str:
        """Return what one process and its children have used."""
        return used(pid, self.others() if self.alone else [pid])

    def others(self) -> set[int]:
        """Return every visible process but this one."""
        return proc.process_ids() - {1}

    def sweep(self, keep: Collection[int]) -> dict[str, bool]:
        """End every process but those to keep, and remove every file but theirs; say whether that worked."""
        return {"swept": not self.alone or (self.tidy(keep)["gone"] and swept(self.settings["files"]))}

    def end(self, pid: int) -> dict[str, int]:
        """End one notebook and return how it ended; 1 if it would have gone on."""
        goes_on, code = stop(pid), exit_code(pid)
        return {"ended": 1 if goes_on else code}

    def stop(self, pid: int) -> dict[str, bool]:
        """Stop one process of the notebook and say whether it would have gone on."""
        return {"goes_on": pid > 1 and stop(pid)}

    def tidy(self, keep: Collection[int]) -> dict[str, bool]:
        """End every process but this one and those to keep; say whether they are gone.

        Only if all visible processes are the notebook's.
        """
        until = time.monotonic() + END_SECONDS
        while self.alone and time.monotonic() < until:
            # A zombie whose parent is kept can be reaped only by that parent.
            strays = [pid for pid in self.others() - {*keep} if not keep or is_alive(pid)]
            if not strays:
                break
            for pid in strays:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            time.sleep(0.0002)
        else:
            return {"gone": not self.alone}
        return {"gone": True}


if __name__ == "__main__":
    main()
