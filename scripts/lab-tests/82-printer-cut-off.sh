#!/bin/bash
# A receipt arrives byte for byte over RFCOMM; one that is cut off in the middle comes again, once and marked.
# service: stopped
set -eu
. ./printerlib.sh
bonded_box

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
echo "$told"
