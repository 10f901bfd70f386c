"""The console of a real box on a pseudo-terminal, and every command that a page shows there."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
import tty

from reader import LIMIT, Printer, die_with_the_tests, wait_for

PROMPT = "counterbox> "
# What a page's words in capitals stand for.
SAMPLES = {"COMMAND": "status", "N": "5", "ID": "push-1", "AMOUNT…": "12.50 3", "CHANNEL": "wechat", "CURRENCY": "USD",
           "LANGUAGE": "en", "TEXT": "hello", "0-100": "40", "ADDRESS": "DC:0D:30:00:00:01", "PIN": "8888",
           "NAME": "voice.rush", "VALUE": "7", "DC:0D:30:…": "DC:0D:30:00:00:01"}
# Goes on until Ctrl-C.
LIVE = ["log follow", "button"]
# These cannot work where there is no Bluetooth, and are read all the same.
FRUITLESS = ["printer scan", "printer pair", "printer pin"]
NOT_READ = re.compile(r"error: (usage:|no such command|.* is no amount, channel|.*: a number from)")


class Box:
    """The firmware on a state of its own, with its console on a pseudo-terminal and a printer on the network."""

    def __init__(self, reader, port):
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        # The terminal is kept open here: a box that opens it later finds it there.
        self.slave, self.port, self.screen = slave, port, ""
        self.printer = Printer()
        self.state = f"{reader.folder}/console-state"
        config = f"{reader.folder}/console.json5"
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"box": "counter-1", "state": self.state, "push": {"mode": "listen", "address": f"127.0.0.1:{port}"},
                       "printer": {"url": f"tcp://127.0.0.1:{self.printer.port}"},
                       "console": {"port": os.ttyname(slave)}}, file)
        self.reader, self.config = reader, config
        # With these two a unit of systemd would restart the machine, and the box only ends with 76.
        environment = reader.environment | {"INVOCATION_ID": "docs", "COUNTERBOX_RESTART": "exit-76"}
        self.log = open(f"{reader.folder}/console.log", "wb")
        self.process = subprocess.Popen(
            ["counterbox", "run", "--board", "desktop", "--config", config], env=environment, cwd=reader.project,
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, preexec_fn=die_with_the_tests)
        if not wait_for(port, self.process):
            raise SystemExit(f"the box of the console does not start: see {reader.folder}/console.log")
        self.wait(PROMPT)

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(LIMIT)
        self.printer.shutdown()
        self.printer.server_close()
        self.log.close()
        os.close(self.master)
        os.close(self.slave)

    def push(self, *bodies):
        """Each RESULT, in their order."""
        answer = subprocess.run(
            ["counterbox", "push", "--to", f"tcp://127.0.0.1:{self.port}", "--key", f"{self.state}/box.key", *bodies],
            env=self.reader.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
        return [json.loads(line) for line in answer.stdout.splitlines()]

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            self.screen += os.read(self.master, 65536).decode(errors="replace")

    def wait(self, text):
        end = time.monotonic() + LIMIT
        while text not in self.screen:
            if time.monotonic() > end:
                raise SystemExit(f"the console does not say {text!r}, but {self.screen!r}")
            self.read(1)

    def type(self, line):
        """What the console says to a line, without the line itself and the prompt."""
        self.screen = ""
        os.write(self.master, line.encode() + b"\r")
        if line in LIVE:
            self.wait(line + "\r\n")
            os.write(self.master, b"\x03")
        # Without prompts an answer is one object.
        self.wait("{\"ok\":true}\r\n" if line == "json on" else "\r\n" + PROMPT)
        return self.screen.replace("\r", "").removeprefix(line).removesuffix(PROMPT).strip()

    def usages(self):
        """The usage of each command, from the box itself."""
        names = re.findall(r"^([a-z]+)  +\S", self.type("help"), re.M)
        return {name: re.search(r"usage: (.*)", self.type(f"help {name}"))[1] for name in names}


def variants(form):
    """Every line that a form such as `led [identify | 0-100]` stands for: with each of what may be left out, and without."""
    optional = re.search(r" \[([^]]*)\]", form)
    if not optional:
        return [re.sub(r"[A-Z][\w:…-]*|0-100", lambda word: SAMPLES.get(word[0], word[0]), form)]
    lines = []
    for choice in [""] + optional[1].split("|"):
        rest = form[: optional.start()] + (f" {choice.strip()}" if choice else "") + form[optional.end():]
        lines += [line for line in variants(rest) if line not in lines]
    return lines


def check(box, forms, usages):
    """Types each line of the forms, which are pairs of a place and a form."""
    faults, typed = [], set()
    for place, form in forms:
        for line in variants(form):
            if line in typed or line == "reboot yes":
                continue
            typed.add(line)
            answer = box.type(line)
            if line == "reboot":
                box.type("no")
            if NOT_READ.search(answer) or ("error:" in answer and not line.startswith(tuple(FRUITLESS))):
                faults.append(f"{place}: the console says to {line!r}: {answer}")
    shown = " ".join(form for _, form in forms)
    for name, usage in usages.items():
        for word in re.findall(r"(?<![\w-])[a-z]{2,}(?![\w-])", usage):
            if not re.search(rf"(?<![\w-]){name}\b[^,;]*(?<![\w-]){word}\b" if word != name else rf"(?<![\w-]){name}\b", shown):
                faults.append(f"docs/technician.md: the console's `{usage}` is not there with its `{word}`")
    return faults


def restart(box):
    """The last command: it ends the box, with the status for which its unit restarts the machine."""
    os.write(box.master, b"reboot yes\r")
    try:
        status = box.process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        return ["docs/technician.md: `reboot yes` does not end the box"]
    return [] if status == 76 else [f"docs/technician.md: `reboot yes` ends the box with {status}, not 76"]
