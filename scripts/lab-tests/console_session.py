"""A session over a pseudo-terminal, as a person would drive it."""

import json
import os
import subprocess
import time

from box import Box, PROGRAM, Terminal, check, ok, wait

STALL = float(os.environ.get("LAB_STALL", "60"))
PORT = 17788
# Long enough for an emulated machine that shares its processors.
WATCHDOG = 4

master, slave = os.openpty()
port = os.ttyname(slave)
# A port in which nobody looks must not echo.
terminal = Terminal(descriptor=master)
os.set_blocking(slave, False)
box = Box(f'speaker: {{ alsa: "none" }}, console: {{ port: "{port}" }}, push: {{ address: "127.0.0.1:{PORT}" }}',
          watchdog=WATCHDOG).wait_ready()
check(terminal.wait("counterbox> "), "a terminal is greeted")


def push(number, *more):
    body = json.dumps({"kind": "payment", "amount": "12.50", "say": False, "print": 0})
    done = subprocess.run([PROGRAM, "push", "--to", f"tcp://127.0.0.1:{PORT}", "--key", box.folder + "/box.key", "--id",
                           f"p{number}", *more, body], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


for end, name in (("\r", "CR"), ("\n", "LF"), ("\r\n", "CRLF")):
    answers = [terminal.ask("volume 3%d" % n, end) for n in range(3)]
    one_each = all(a.count("\r\nvolume 3%d\r\n" % n) == 1 and a.count("counterbox> ") == 1
                   for n, a in enumerate(answers))
    check(one_each, f"each line is answered once: {name}", answers)

commands = [
    ("help", "bundle"), ("help doctor", "usage: doctor"), ("status", "lab-1"), ("log 5", "counterbox"),
    ("pushes", "no pushes yet"), ("show x", "error: no push x"), ("print hello", "printing"),
    ("reprint", "error:"), ("led", "steady"), ("led identify", "winks"), ("led 40", ":"), ("printer", "none:"),
    ("net", "hub "), ("config get", "voice.rush 6"), ("config set voice.rush 3", "after the next start"),
    ("config get voice.rush", "now 6"), ("config set voice.rush 0", "error: voice.rush"),
    ("config set light.brightness 50", "in force now"), ("doctor", "ok    journal: kept"), ("trace on", "trace on"),
    ("statsu", "did you mean status?"), ("say 1", "speaking"),
]
for command, part in commands:
    answer = terminal.ask(command)
    check(part in answer, command, answer)
terminal.ask("reboot")
check("not restarted" in terminal.ask("no"), "reboot asks, and a no is a no")

check("\r\nvolume 11\r\n" in terminal.ask("volmue\x08\x08\x08ume 11"), "backspace 08")
check("\r\nvolume 12\r\n" in terminal.ask("volume 12x\x7f"), "backspace 7f")
check("\r\nvolume 12\r\n" in terminal.ask("\x1b[A\x1b[A\x1b[B"), "history")
check("\r\nvolume 14\r\n" in terminal.ask("vol\t14"), "Tab completes")
check("status  show  say" in terminal.ask("s\t\x15volume"), "Tab shows what there is")
check("\r\nvolume 15\r\n" in terminal.ask("rubbish\x03volume 15"), "Ctrl-C forgets the line")
terminal.type("log follow\r")
check(terminal.wait("notice box: counterbox"), "log follow shows the log")
check("^C" in terminal.ask("\x03", end=""), "log follow can be stopped")

for _ in range(20):
    terminal.type(os.urandom(2000).replace(b"y", b""))
    terminal.read()
terminal.type(b"x" * 20000 + b"\x1b]0;" + b"A" * 5000 + b"\x1bP\x1b[" + b"9" * 5000)
terminal.settle()
check("\r\nvolume 16\r\n" in terminal.ask("volume 16"), "noise, binary, escape sequences and endless lines are survived")
check("longer than" in terminal.ask("a" * 2000), "a line that is too long is thrown away whole")

code, out = push(1)
check(code == 0, "a push is taken", out)
check("p1" in terminal.ask("pushes"), "pushes lists it")
text = terminal.ask("bundle")
check(terminal.wait("LINES-----"), "bundle comes between its marks")
terminal.wait("kept as ")
text = terminal.screen.decode(errors="replace")
lines = text.split("-----BEGIN COUNTERBOX SUPPORT FILE-----\r\n")[1].split("-----END")[0].count("\r\n")
check(f"-----END COUNTERBOX SUPPORT FILE, {lines} LINES-----" in text, "all of its lines are there")
check("12.50" not in text.split("== pushes")[1].split("== log")[0], "it holds no amounts")
with open(box.folder + "/box.key") as file:
    check(file.read().strip() not in text, "it holds no key")
check(os.stat(box.folder + "/support.txt").st_mode & 0o777 == 0o600, "it is kept where only the box may read it")

terminal.ask("json on", until="{")
terminal.read()
for command in ("status", "doctor", "net", "config get", "log 3", "pushes"):
    terminal.read()
    terminal.screen = b""
    terminal.type(command + "\r")
    wait(lambda: terminal.read().endswith(b"\r\n"))
    check(json.loads(terminal.screen)["ok"] is True, "json: " + command, terminal.screen)
terminal.screen = b""
terminal.type("json off\r")
check(terminal.wait("counterbox> "), "json off brings the prompt back")

ok(f"the host stops reading for {STALL:.0f} s")
begin = time.monotonic()
slowest, number, typed = 0, 10, True
while time.monotonic() - begin < STALL:
    for _ in range(40):
        try:
            os.write(master, b"help\r")
        except BlockingIOError:
            typed = False
    sent = time.monotonic()
    code, out = push(number)
    slowest = max(slowest, time.monotonic() - sent)
    if code != 0:
        check(False, "a push while the host is stalled", out)
    number += 1
    time.sleep(min(1.0, STALL / 20))
check(typed, "input is always drained")
ok(f"{number - 10} pushes were taken meanwhile, the slowest in {slowest:.2f} s, its program's start included")
heard = [moment for moment, text in list(box.heard) if text == "WATCHDOG=1"]
gaps = [b - a for a, b in zip(heard, heard[1:])]
check(len(heard) > 3 and max(gaps) < WATCHDOG, f"the watchdog was fed in time ({WATCHDOG} s), at most {max(gaps):.2f} s apart")
terminal.settle()
check("\r\nvolume 41\r\n" in terminal.ask("volume 41"), "it reads again, and is answered")

out, code = box.doctor()
check("running" in out, "counterbox doctor sees the running box", out)
status = [text for text in box.messages() if text.startswith("STATUS=")]
check(any(text.startswith("STATUS=ready; no hub yet; no printer is configured") for text in status),
      "systemd shows a line that a person reads", status)
seconds, code = box.stop()
check(code == 0 and seconds < 6, f"it stops in order, in {seconds:.1f} s")
check("STOPPING=1" in box.messages(), "and says so")
