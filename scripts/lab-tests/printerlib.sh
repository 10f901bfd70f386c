# Sourced by the tests of the Bluetooth printer: a printer on hci0 in the test's hand, and a box of the test's own, as a user
# without rights, that prints there.

# It ends the lab's own printer and agent: nothing to be done outside of the lab's machine.
[ -x /lab/bt-printer ] && [ -d /ctl ] || { echo "this runs in the lab's machine alone" >&2; exit 2; }

work=/tmp/printer-test
rm -rf "$work" && mkdir -p "$work/state"
address=$(bluetooth addr 0)
pids=()

cleanup() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    bluetooth back 0 2>/dev/null || true
}
trap cleanup EXIT

# The lab's own printer and agent make room; who starts the service switches them on again.
lab-printer down

# until_true SECONDS COMMAND…: polls until it succeeds.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do [ $SECONDS -lt $end ] || { echo "in vain: $*"; return 1; }; sleep 0.3; done
}

# start_printer CHANNEL: what it gets goes to $work/printed.
start_printer() {
    bt-printer --channel "$1" --out "$work/printed" >"$work/printer.log" 2>&1 & printer=$!
    pids+=("$printer")
    until_true 60 grep -q "channel $1" "$work/printer.log"
}
# start_agent [hciN=PIN]: answers for the printer's side.
start_agent() {
    [ -z "${agent:-}" ] || { kill "$agent"; wait "$agent" 2>/dev/null || true; }
    bt-agent "$@" >"$work/agent.log" 2>&1 & agent=$!
    pids+=("$agent")
    until_true 60 grep -q ready "$work/agent.log"
}

# A user without rights and groups.
as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$work")
plain() { "${as_nobody[@]}" "$@"; }

# is_bonded Paired|Trusted: what bluetoothd has of the printer. Not by bluetoothctl, which at the end of its input may go before
# bluetoothd has answered it.
is_bonded() {
    [ "$(busctl get-property org.bluez "/org/bluez/hci1/dev_${address//:/_}" org.bluez.Device1 "$1" 2>/dev/null)" = 'b true' ]
}

# start_box: prints on $address, takes pushes on port 7799.
start_box() {
    cat >"$work/box.json5" <<S
{ box: "printer-test", state: "$work/state", push: { address: "127.0.0.1:7799" }, speaker: { alsa: "none" },
  console: { port: "none" }, printer: { url: "bluetooth://$address", profile: "generic-58mm" } }
S
    [ -e "$work/state/box.key" ] || counterbox key new "$work/state/box.key" >/dev/null
    chown -R 65534:65534 "$work"
    # Not through a function: the job has to be the box itself, so that it ends with the test.
    "${as_nobody[@]}" counterbox run --board desktop --config "$work/box.json5" >"$work/box.out" 2>"$work/box.log" & box=$!
    pids+=("$box")
    until_true 60 grep -q 'the printer is connected' "$work/box.log" || { cat "$work/box.log" "$work/printer.log"; return 1; }
}
# push BODY…: waits for the outcomes; fails where anything failed.
push() {
    counterbox push --to tcp://127.0.0.1:7799 --key "$work/state/box.key" --timeout 100 "$@" >"$work/pushed" ||
        { cat "$work/pushed" "$work/box.log"; return 1; }
}
printed_size() { stat -c %s "$work/printed" 2>/dev/null || echo 0; }
# printed_text OFFSET: what the printer got from there on, as text without spaces.
printed_text() {
    tail -c +$(($1 + 1)) "$work/printed" >"$work/now"
    counterbox receipt decode --printer generic-58mm --as text "$work/now" | tr -d ' '
}

# bonded_box: a printer on channel 1, bonded, and a box that prints there.
bonded_box() {
    bluetooth pair-mode pin
    start_agent hci0=0000
    start_printer 1
    is_bonded Paired || bt-pair hci1 "$address"
    start_box
}
# items ID COUNT: the markup of a receipt.
items() { echo "^$1"; for ((i = 1; i <= $2; i++)); do echo "item $i of $1 | $i.00"; done; echo "END-$1"; }
body() { python3 -c 'import json, sys; print(json.dumps({"kind": "payment", "amount": "1.00", "say": False,
    "receipt": {"markup": sys.stdin.read()}}))'; }
