#!/usr/bin/env bash
# 72-gpio-panel — button and light on the kernel's simulated GPIO chip: gestures by pulling a line, the light's pattern
# read back from another, a stuck key, and a line that another program holds.
#
# In the lab's guest, as root (`gpio pull`, `gpio read`); needs python3, gpioset, and the program in COUNTERBOX or on PATH.
# service: stopped
exec python3 "$(dirname "$0")/gpio_panel.py"
