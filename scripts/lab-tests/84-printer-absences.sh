#!/bin/bash
# Ten receipts across three absences of the printer are each there once, unmarked; one that moved its port is found again.
# service: stopped
set -eu
. ./printerlib.sh
bonded_box

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
told="ten jobs once each over three absences"

# The printer comes back on another channel, with a record that says so in place of the old one.
kill $printer
wait $printer || true
start_printer 3
before=$(printed_size)
push "$(items moved 3 | body)"
until_true 20 eval 'printed_text "$before" | grep -q END-moved'
echo "$told, found again on channel 3"
