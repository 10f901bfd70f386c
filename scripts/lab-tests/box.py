"""What the lab's tests share: a box on this machine's real devices, and a technician's terminal. Standard library only."""

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time
import tty

# Emulated machines are slow: every wait is for something, and this is when it is given up.
PATIENCE = float(os.environ.get("LAB_PATIENCE", "60"))
PROGRAM = os.environ.get("COUNTERBOX", "counterbox")


def ok(what):
    """One line for each thing that was shown."""
    print("ok   " + what, flush=True)


def fail(what):
    print("FAIL " + what, flush=True)
    sys.exit(1)


def check(condition, what, detail=""):
    if not condition:
        fail(what + (": " + repr(detail) if detail else ""))
    ok(what)


def wait(condition, limit=PATIENCE):
    """Whether a condition came true in time."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())


class Terminal:
    """The technician's end of a serial line."""

    def __init__(self, path=None, descriptor=None):
        self.fd = descriptor if descriptor is not None else os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.fd, termios.TCSANOW)
        os.set_blocking(self.fd, False)
        self.screen = b""

    def type(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        end = time.monotonic() + PATIENCE
        while data and time.monotonic() < end:
            if select.select([], [self.fd], [], 0.1)[1]:
                try:
                    data = data[os.write(self.fd, data):]
                except BlockingIOError:
                    pass

    def read(self):
        try:
            while select.select([self.fd], [], [], 0)[0]:
                got = os.read(self.fd, 65536)
                if not got:
                    break
                self.screen += got
        except OSError:
            pass
        return self.screen

    def wait(self, text, limit=PATIENCE):
        return wait(lambda: text.encode() in self.read(), limit)

    def settle(self):
        """Whatever the port still had from before is taken, and half a line is forgotten."""
        self.type("\x03")
        quiet = time.monotonic()
        size = -1
        while time.monotonic() - quiet < 1:
            if len(self.read()) != size:
                size, quiet = len(self.screen), time.monotonic()
            time.sleep(0.05)
        self.screen = b""

    def ask(self, line, end="\r", until="counterbox> "):
        """Types a line, and what was shown up to the next prompt."""
        self.read()
        self.screen = b""
        self.type(line + end)
        # The echo ends a line, the prompt begins one.
        if not self.wait("\n" + until):
            fail(f"no answer to {line!r}: {self.screen!r}")
        # What was typed may bring more than one prompt: the answer is over when nothing more comes.
        size = -1
        while len(self.read()) != size:
            size = len(self.screen)
            time.sleep(0.3)
        return self.screen.decode(errors="replace")

    def close(self):
        os.close(self.fd)


class Box:
    """A running box with a folder of its own, and what systemd would hear of it."""

    def __init__(self, settings="", board=None, watchdog=None):
        self.folder = tempfile.mkdtemp(prefix="lab-box-")
        self.config = self.folder + "/box.json5"
        with open(self.config, "w") as file:
            file.write('{ box: "lab-1", state: "%s", %s }' % (self.folder, settings))
        self.key()
        self.log_path = self.folder + "/log"
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(self.folder + "/notify")
        self.heard = []
        threading.Thread(target=self.listen, daemon=True).start()
        environment = dict(os.environ, NOTIFY_SOCKET=self.folder + "/notify")
        if watchdog:
            environment["WATCHDOG_USEC"] = str(int(watchdog * 1e6))
        command = [PROGRAM, "run", "--config", self.config] + (["--board", board] if board else [])
        self.board = ["--board", board] if board else []
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(self.log_path, "w"),
            env=environment)
        # Whatever a test ends with, no box outlives it.
        atexit.register(self.process.kill)

    def key(self):
        path = self.folder + "/box.key"
        subprocess.run([PROGRAM, "key", "new", path], check=True)

    def messages(self):
        """All that was heard so far."""
        return [text for _, text in list(self.heard)]

    def listen(self):
        """With their moments, whatever else the test is doing."""
        while True:
            self.heard.append((time.monotonic(), self.notify.recv(4096).decode()))

    def wait_ready(self):
        if not wait(lambda: "READY=1" in self.messages()):
            fail("the box is not ready: " + self.log())
        return self

    def log(self):
        with open(self.log_path) as file:
            return file.read()

    def doctor(self):
        command = [PROGRAM, "doctor", "--config", self.config] + self.board
        done = subprocess.run(command, capture_output=True, text=True)
        return done.stdout, done.returncode

    def stop(self):
        """- Returns: the seconds that it took, and its exit status."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            fail("the box does not stop")
        return time.monotonic() - begin, status
