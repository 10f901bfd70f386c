#!/bin/bash
# A short press prints the last receipt again, marked.
set -eu
. ./lib.sh
push '{"kind":"payment","amount":"7.70","channel":"card"}' >/dev/null
before=$(printed_size)
gpio pull 17 0
sleep 0.2
gpio pull 17 1
has_reprint() { printed_text "$before" >/tmp/text 2>/dev/null && grep -q '补打' /tmp/text && grep -q '7.70' /tmp/text; }
until_true 30 has_reprint || { cat /tmp/text; exit 1; }
echo "printed again, marked 补打"
