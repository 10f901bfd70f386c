#!/bin/bash
# The console answers over USB, also after the cable was pulled; no login sits on it.
set -eu
. ./lib.sh
usb wait
[ "$(systemctl show -P ActiveState serial-getty@ttyGS0)" != active ] || { echo "a login sits on the console"; exit 1; }
cat >/tmp/ask.py <<'PY'
import os, select, sys, termios, time, tty
fd = os.open("/dev/ttyACM0", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
tty.setraw(fd, termios.TCSANOW)
heard, end = b"", time.time() + 15
# A port that is just there may not take bytes yet.
asked = 0
while time.time() < end and not asked:
    try: asked = os.write(fd, b"\r\nstatus\r\n")
    except BlockingIOError: select.select([], [fd], [], 0.5)
while time.time() < end and b"firmware" not in heard and b"counterbox " not in heard:
    if select.select([fd], [], [], 0.5)[0]: heard += os.read(fd, 4096)
print(heard.decode(errors="replace"))
sys.exit(b"counterbox " not in heard)
PY
python3 /tmp/ask.py || { echo "the console did not answer"; exit 1; }
usb unplug
until_true 10 test ! -e /dev/ttyACM0
sleep 1
usb plug
usb wait
python3 /tmp/ask.py || { echo "the console did not answer after the cable was pulled"; exit 1; }
echo "answers, before and after the cable was pulled"
