#!/usr/bin/env bash
# 74-usb-cable — the console on the kernel's USB serial gadget (/dev/ttyGS0), driven from its host's end (/dev/ttyACM0):
# unplugged and plugged again, a host that does not read, and a stop with no host.
#
# In the lab's guest, as root (`usb unplug`, `usb plug`); needs python3, and the program in COUNTERBOX or on PATH.
# service: stopped
# beside: the others
exec python3 "$(dirname "$0")/usb_cable.py"
