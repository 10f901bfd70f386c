#!/bin/bash
# Scan finds the printer, pair pairs: just works, a usual PIN, and one that a person types. All without root.
# service: stopped
set -eu
. ./printerlib.sh

start_printer 1
chown -R 65534:65534 "$work"
told=
# pair [INPUT]: pairs on a terminal, where INPUT is typed when the PIN is asked for.
pair() {
    cat >"$work/pair.py" <<'PY'
import os, pty, sys, time, select
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
heard, answered, end = b"", False, time.time() + 100
while time.time() < end:
    if select.select([terminal], [], [], 1)[0]:
        try: data = os.read(terminal, 4096)
        except OSError: break
        if not data: break
        heard += data
    if b"wants its PIN" in heard and not answered:
        os.write(terminal, sys.argv[1].encode() + b"\n")
        answered = True
print(heard.decode(errors="replace"))
print("asked" if answered else "not asked")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
    plain python3 "$work/pair.py" "${1-}" counterbox printer pair --board desktop --config "$work/box.json5" "$address"
}
cat >"$work/box.json5" <<S
{ state: "$work/state", speaker: { alsa: "none" }, console: { port: "none" } }
S

plain counterbox printer scan >"$work/scan"
cat "$work/scan"
head -n 1 "$work/scan" | grep -q "$address .*printer .*LabPrinter" || { echo "the printer is not the first of the list"; exit 1; }
told="found first of $(wc -l <"$work/scan")"

# The controllers do secure simple pairing once: not where somebody has bonded them before.
if ! is_bonded Paired; then
    start_agent
    bluetooth pair-mode ssp
    pair >"$work/pair" || { cat "$work/pair" "$work/agent.log"; exit 1; }
    cat "$work/pair"
    grep -q '^not asked' "$work/pair" || { echo "just works asked for a PIN"; exit 1; }
    is_bonded Paired || { echo "just works left no bond"; exit 1; }
    is_bonded Trusted || { echo "the printer is not trusted"; exit 1; }
    grep -q "bluetooth://$address" "$work/state/settings.json5" || { echo "the printer was not kept"; exit 1; }
    told+=", just works"
fi

bluetooth pair-mode pin
for pin in 1234 7531; do
    bluetooth forget
    start_agent "hci0=$pin"
    pair 7531 >"$work/pair" || { cat "$work/pair" "$work/agent.log"; exit 1; }
    cat "$work/pair" "$work/agent.log"
    is_bonded Paired || { echo "there is no bond with PIN $pin"; exit 1; }
    is_bonded Trusted || { echo "the printer is not trusted with PIN $pin"; exit 1; }
    [ $pin = 1234 ] && asked='not asked' || asked='asked'
    grep -q "^$asked" "$work/pair" || { echo "with PIN $pin the person was not: $asked"; exit 1; }
    told+=", PIN $pin $asked"
done
echo "$told"
