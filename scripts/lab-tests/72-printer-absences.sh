#!/bin/bash
# Receipts over RFCOMM: byte for byte; one cut off in the middle comes again once and marked; ten across three absences are each
# there once; a printer that moves its port is found again.
set -eu
. ./printerlib.sh

bluetooth pair-mode pin
start_agent hci0=0000
start_printer 1
bluetoothctl <<<"select $(bluetooth addr 1)
info $address" | grep -q 'Paired: yes' || bt-pair hci1 "$address" || true
start_box

# items ID COUNT: the markup of a receipt.
items() { echo "^$1"; for ((i = 1; i <= $2; i++)); do echo "item $i of $1 | $i.00"; done; echo "END-$1"; }
body() { python3 -c 'import json, sys; print(json.dumps({"kind": "payment", "amount": "1.00", "say": False,
    "receipt": {"markup": sys.stdin.read()}}))'; }

items long 40 >"$work/long.receipt"
counterbox receipt render --printer generic-58mm --as escpos -o "$work/expected" "$work/long.receipt"
before=$(printed_size)
push "$(body <"$work/long.receipt")"
until_true 20 eval '[ $(($(printed_size) - before)) -ge $(stat -c %s "$work/expected") ]'
tail -c +$((before + 1)) "$work/printed" | cmp - "$work/expected"
told="$(stat -c %s "$work/expected") bytes exact"

# In the middle: some of it is there, not all. (What fits the printer's buffer goes out at once, so it is a long one.)
before=$(printed_size)
items cut 400 | body >"$work/cut.json"
push "$(cat "$work/cut.json")" & pushing=$!
until_true 60 eval '[ $(($(printed_size) - before)) -gt 1500 ]'
bluetooth away 0
at=$(($(printed_size) - before))
sleep 8
bluetooth back 0
wait $pushing
printed_text "$before" >"$work/text"
[ "$(grep -c 补打 "$work/text")" = 1 ] && [ "$(grep -c END-cut "$work/text")" = 1 ] ||
    { cat "$work/text" "$work/box.log"; echo "not once and marked"; exit 1; }
told+=", cut off after $at bytes and once again marked"

before=$(printed_size)
job=0
for absence in 1 2 3; do
    bluetooth away 0
    bodies=()
    for _ in $(seq $((absence == 3 ? 4 : 3))); do
        job=$((job + 1))
        bodies+=("$(items "job$job" 3 | body)")
    done
    push "${bodies[@]}" & pushing=$!
    sleep 6
    bluetooth back 0
    wait $pushing
done
sleep 1
printed_text "$before" >"$work/text"
for ((n = 1; n <= 10; n++)); do
    [ "$(grep -cx "END-job$n" "$work/text")" = 1 ] || { cat "$work/text" "$work/box.log"; echo "job $n is not there once"; exit 1; }
done
! grep -q 补打 "$work/text" || { cat "$work/text"; echo "something is marked"; exit 1; }
told+=", ten jobs once each over three absences"

# The printer comes back on another channel.
kill $printer
sleep 1
sdptool browse local >/dev/null 2>&1 || true
start_printer 3
before=$(printed_size)
push "$(items moved 3 | body)"
until_true 20 eval 'printed_text "$before" | grep -q END-moved'
told+=", found on channel 3"
echo "$told"
