"""What a reader of a page does: types its commands, in a copy of the project that is thrown away, on a machine of loopback."""

import ctypes
import os
import re
import select
import shutil
import signal
import socket
import socketserver
import subprocess
import threading
import time

LIMIT = 60  # seconds that a block may take
FINE = b"\x12"  # a printer's answer to DLE EOT: on line, cover closed, paper there
# A sound card that plays at once.
ALSA = 'pcm.!default { type null }\nctl.!default { type null }\n'


def die_with_the_tests():
    """Called in a new process: it gets SIGKILL where the tests end without ending it."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def wait_for(port, process=None):
    """Until somebody takes connections there."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return True
        except OSError:
            if process and process.poll() is not None:
                return False
            time.sleep(0.02)
    return False


class Printer(socketserver.ThreadingTCPServer):
    """A printer on the network that is always fine."""

    allow_reuse_address = daemon_threads = True

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            while data := self.request.recv(65536):
                if b"\x10\x04" in data:
                    self.request.sendall(FINE * data.count(b"\x10\x04"))

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), self.Handler)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Reader:
    """One reader with a home and a checkout of their own."""

    def __init__(self, root, build, folder):
        self.folder, self.places, self.staying = folder, {"/tmp/": f"{folder}/tmp/"}, None
        for name in ("home", "tmp", "project"):
            os.makedirs(f"{folder}/{name}")
        self.project = f"{folder}/project"
        self._check_out(root, build)
        with open(f"{folder}/asound.conf", "w", encoding="utf-8") as file:
            file.write(ALSA)
        self.environment = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TERM") if name in os.environ} | {
            "HOME": f"{folder}/home", "TMPDIR": f"{folder}/tmp", "ALSA_CONFIG_PATH": f"{folder}/asound.conf",
            "PATH": f"{build}:{os.environ['PATH']}", "COUNTERBOX_RESOURCES": f"{root}/Resources",
            "COUNTERBOX_BOARDS": f"{root}/board",
            # Nobody's printer is to be paired: there is no bus, and so no Bluetooth.
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/no-bus"}

    def _check_out(self, root, build):
        """The files are links, but for scripts/build: what scripts/test has built stands."""
        for name in os.listdir(root):
            if name not in (".build", ".git", "scripts"):
                os.symlink(f"{root}/{name}", f"{self.project}/{name}")
        os.makedirs(f"{self.project}/.build")
        os.symlink(build, f"{self.project}/.build/debug")
        os.makedirs(f"{self.project}/scripts")
        for name in os.listdir(f"{root}/scripts"):
            os.symlink(f"{root}/scripts/{name}", f"{self.project}/scripts/{name}")
        os.remove(f"{self.project}/scripts/build")
        os.symlink(shutil.which("true"), f"{self.project}/scripts/build")

    def keep(self, fence):
        with open(f"{self.project}/{fence.file}", "w", encoding="utf-8") as file:
            file.write(self.placed(fence.text))

    def placed(self, text):
        """With the places of this machine for those of the page."""
        for place, here in self.places.items():
            begins = r"(?<![\w/.-])" if place.startswith("/") else ""
            text = re.sub(begins + re.escape(place), lambda _, here=here: here, text)
        return text

    def run(self, text):
        """What it says, and why it failed; None where it did not."""
        process = self._start(text, subprocess.PIPE)
        try:
            output, complaint = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "", f"it takes more than {LIMIT} s"
        said = (output + complaint).decode(errors="replace").strip()
        return output.decode(errors="replace"), f"it ends with {process.returncode}: {said[-1500:]}" if process.returncode else None

    def stay(self, text, word):
        """Why it never says the word; None where it does. What stayed before is ended, as its reader would."""
        self.end_staying()
        self.staying = self._start(text, subprocess.STDOUT)
        said, end = b"", time.monotonic() + LIMIT
        while word.encode() not in said and time.monotonic() < end:
            if select.select([self.staying.stdout], [], [], 1)[0]:
                more = os.read(self.staying.stdout.fileno(), 65536)
                if not more:
                    break
                said += more
        # It is never to wait for somebody who reads.
        threading.Thread(target=self.staying.stdout.read, daemon=True).start()
        said = said.decode(errors="replace")
        return None if word and word in said else f"it does not say {word!r}: {said[-1500:]}"

    def end_staying(self):
        """As Ctrl-C does."""
        if self.staying is None:
            return
        try:
            os.killpg(self.staying.pid, signal.SIGINT)
            self.staying.wait(10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(self.staying.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.staying.wait()
        self.staying = None

    def _start(self, text, errors):
        return subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", self.placed(text)], cwd=self.project, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, start_new_session=True,
            preexec_fn=die_with_the_tests)
