"""The technician's cable on real drivers."""

import os
import subprocess
import time

from box import Box, Terminal, check, ok, wait

HOST = "/dev/ttyACM0"


def usb(word):
    subprocess.run(["usb", word], check=True)


def plugged():
    return os.path.exists(HOST)


def gone():
    return not plugged()


check(wait(plugged), "the gadget's port is there")
box = Box('speaker: { alsa: "none" }, console: { port: "/dev/ttyGS0" }, push: { address: "127.0.0.1:17790" }',
          watchdog=4).wait_ready()
terminal = Terminal(HOST)
check(terminal.wait("counterbox> "), "a technician who comes late is greeted")
terminal.settle()
for end, name in (("\r", "CR"), ("\n", "LF"), ("\r\n", "CRLF")):
    answer = terminal.ask("volume 3%d" % len(name), end)
    check(answer.count("\r\nvolume 3%d\r\n" % len(name)) == 1, f"a line is answered once: {name}", answer)
check("lab-1" in terminal.ask("status"), "status")
check("ok    console: /dev/ttyGS0" in terminal.ask("doctor"), "doctor")
check("\r\nvolume 12\r\n" in terminal.ask("volume 1x\x082"), "backspace 08")
check("\r\nvolume 13\r\n" in terminal.ask("volume 1x\x7f3"), "backspace 7f")
terminal.ask("bundle")
check(terminal.wait("LINES-----"), "the whole bundle comes through the cable")
terminal.wait("kept as")

for round in range(3):
    terminal.type("half a li")
    terminal.close()
    usb("unplug")
    check(wait(gone), f"unplugged ({round + 1})")
    time.sleep(1)
    usb("plug")
    check(wait(plugged), "and plugged again")
    # udev gives the node its rights a moment after it is there.
    time.sleep(1)
    terminal = Terminal(HOST)
    terminal.settle()
    check("\r\nvolume 4%d\r\n" % round in terminal.ask("volume 4%d" % round), "it answers as before")

ok("a host that reads nothing")
heard = len(box.messages())
for _ in range(300):
    try:
        os.write(terminal.fd, b"help\r")
    except BlockingIOError:
        pass
    time.sleep(0.01)
time.sleep(6)
check(box.messages()[heard:].count("WATCHDOG=1") >= 2, "the loop turns all the while")
terminal.settle()
terminal.type("volume 51\r")
check(terminal.wait("\r\nvolume 51\r\n"), "it reads again, and is answered", (len(terminal.screen), terminal.screen[-300:], box.log()))

terminal.type("help\r" * 50)
terminal.close()
usb("unplug")
wait(gone)
seconds, code = box.stop()
check(code == 0 and seconds < 6, f"with no host it stops in {seconds:.1f} s")
usb("plug")
