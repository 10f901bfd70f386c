#!/bin/bash
# The package's service runs as its own user, is ready by its own word, and feeds the watchdog.
set -eu
show() { systemctl show -P "$1" counterbox; }
n=0; until [ "$(show ActiveState)" = active ]; do [ $((n += 1)) -lt 50 ] || { systemctl status counterbox; exit 1; }; sleep 0.2; done
pid=$(show MainPID)
[ "$(stat -c %U "/proc/$pid")" = counterbox ] || { echo "it runs as $(stat -c %U "/proc/$pid")"; exit 1; }
grep -q 'CapEff:.0000000000000000' "/proc/$pid/status" || { echo "it has capabilities"; exit 1; }
[ "$(show WatchdogUSec)" != 0 ] || { echo "there is no watchdog"; exit 1; }
# A loop that hangs is started anew.
before=$(show NRestarts)
kill -STOP "$pid"
n=0; until [ "$(show NRestarts)" -gt "$before" ]; do [ $((n += 1)) -lt 60 ] || { echo "a hung box was not started anew"; exit 1; }; sleep 1; done
n=0; until [ "$(show ActiveState)" = active ]; do [ $((n += 1)) -lt 50 ] || { echo "it did not come back"; exit 1; }; sleep 0.2; done
echo "user counterbox, no capabilities, started anew $((n / 5)) s after it hung"
