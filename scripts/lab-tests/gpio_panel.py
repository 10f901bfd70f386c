"""The front panel on real drivers: gpio-sim's lines are the button and the light."""

import os
import subprocess
import tempfile
import time

from box import Box, check, fail, ok, wait

BUTTON, LIGHT = 7, 5


def line(number, file):
    """The outside world's hand on a line of the chip."""
    config = "/sys/kernel/config/gpio-sim/lab/"
    with open(config + "dev_name") as name, open(config + "bank0/chip_name") as chip:
        return f"/sys/devices/platform/{name.read().strip()}/{chip.read().strip()}/sim_gpio{number}/{file}"


pull, value = line(BUTTON, "pull"), line(LIGHT, "value")


def press(is_down):
    # Active low: a finger draws the line down.
    with open(pull, "w") as file:
        file.write("pull-down" if is_down else "pull-up")


def hold(seconds):
    press(True)
    time.sleep(seconds)
    press(False)


def lit():
    with open(value) as file:
        return file.read().strip() == "1"


def spans(seconds):
    """How the light goes on and off for a while: (lit, seconds), the first and the last cut off."""
    begin = since = time.monotonic()
    now_lit, found = lit(), []
    while time.monotonic() - begin < seconds:
        is_lit = lit()
        if is_lit != now_lit:
            found.append((now_lit, time.monotonic() - since))
            since, now_lit = time.monotonic(), is_lit
        time.sleep(0.004)
    return found[1:]


def board(button="GPIO7", light="GPIO5", draws="up"):
    folder = tempfile.mkdtemp(prefix="lab-board-")
    with open(folder + "/board.json", "w") as file:
        file.write('{ name: "lab", button: { chip: "lab-gpio", line: "%s", activeLow: true, pull: "%s" }, '
                   'light: { chip: "lab-gpio", line: "%s" } }' % (button, draws, light))
    return folder


press(False)
settings = 'speaker: { alsa: "none" }, console: { port: "none" }, push: { address: "127.0.0.1:17789" }'
place = board()
box = Box(settings, place).wait_ready()


def gestures():
    return [text.split("the button: ")[1] for text in box.log().splitlines() if "the button: " in text]


def gesture_after(what, expected, action, settle=1.5):
    before = len(gestures())
    action()
    wait(lambda: len(gestures()) - before >= len(expected), 20)
    time.sleep(settle)
    found = gestures()[before:]
    check(found == expected, what, found)


check(wait(lit, 20), "a ready box shows a light", box.log())
check(spans(2) == [], "it is steady")


def flash():
    press(True)
    time.sleep(0.02)


before = len(gestures())
press(True)
check(wait(lambda: not lit(), 2), "a press is answered by the light at once")
time.sleep(0.1)
press(False)
check(wait(lambda: len(gestures()) > before, 20) and gestures()[before:] == ["short"], "a short press", gestures())
time.sleep(1)


def double():
    """- Returns: the seconds from one press to the next, for a machine that was slow in between."""
    press(True)
    first = time.monotonic()
    time.sleep(0.06)
    press(False)
    time.sleep(0.06)
    press(True)
    gap = time.monotonic() - first
    time.sleep(0.06)
    press(False)
    return gap


for attempt in range(10):
    before = len(gestures())
    gap = double()
    time.sleep(2)
    if gap < 0.3:
        break
check(gestures()[before:] == ["double"], f"a double press, {gap:.2f} s apart", gestures()[before:])


def bouncing():
    for _ in range(4):
        press(True)
        press(False)
    hold(0.8)
    for _ in range(4):
        press(True)
        press(False)


gesture_after("a bouncing press is one", ["short"], bouncing)
gesture_after("2.7 s is a short press", ["short"], lambda: hold(2.7))
before = len(gestures())
press(True)
began = time.monotonic()
check(wait(lambda: gestures()[before:] == ["hold"], 20), "3 s is a hold, told before the key is let go", gestures())
took = time.monotonic() - began
check(2.5 < took < 4.5, f"told after {took:.1f} s")
check(wait(lambda: gestures()[before:] == ["hold", "longHold"], 20), "10 s asks for pairing, told at its threshold")
press(False)
time.sleep(0.5)

out, code = box.doctor()
check("ok    light: ready" in out and "ok    button: ready" in out, "doctor of the running box: both are ready", out)
box.stop()

# The pattern of a printer that needs somebody: double blink.
press(False)
double_blink = Box(settings + ', printer: { url: "file:/dev/usb/lp99" }', place).wait_ready()
box = double_blink
check(wait(lambda: "printer" in box.log() and not lit(), 30), "a printer that is missing is shown", box.log())
time.sleep(1)
# 150 ms lit, 200 dark, 150 lit, 1000 dark. An emulated machine now and then looks late: the middle ones count.
found = spans(12)
shown = " ".join(f"{'on' if is_lit else 'off'} {seconds:.2f}" for is_lit, seconds in found[:8])
dark = sorted(seconds for is_lit, seconds in found if not is_lit)
short, long, bright = dark[:len(dark) // 2], dark[len(dark) // 2:], sorted(s for is_lit, s in found if is_lit)
check(len(dark) >= 8 and all(near < spans[len(spans) // 2] < far for spans, near, far in
                             ((short, 0.15, 0.3), (long, 0.85, 1.3), (bright, 0.1, 0.25))),
      "the light blinks twice: " + shown, [dark, bright])
box.stop()

# A key that is down at the start. The chip obeys a pull that is asked for as if nobody held the line: so none is.
press(True)
box = Box(settings, board(draws="none")).wait_ready()
check(wait(lambda: "the button is stuck" in box.log(), 30), "a key that is stuck at the start is named", box.log())
check(gestures() == [], "and asks for nothing")
press(False)
check(wait(lambda: "free again" in box.log(), 10), "until it is let go")
gesture_after("then it works", ["short"], lambda: hold(0.1))
box.stop()

# A line that somebody else has.
holder = subprocess.Popen(["gpioset", f"GPIO{LIGHT}=0"])
time.sleep(1)
try:
    box = Box(settings, place).wait_ready()
    check('GPIO5 is held by "gpioset"' in box.log(), "a line that another program holds is named with its owner", box.log())
    gesture_after("the box runs without its light", ["short"], lambda: hold(0.1))
    out, code = box.doctor()
    check("FAULT light: GPIO5 is used by gpioset" in out and code == 1, "doctor says so and ends with 1", out)
    box.stop()
finally:
    holder.terminate()

box = Box(settings, board(button="GPIO99")).wait_ready()
out, code = box.doctor()
check("FAULT button: no chip has the line GPIO99" in out and code == 1, "a line that no chip has", out)
box.stop()
