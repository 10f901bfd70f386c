#!/bin/bash
# A push comes out of the Bluetooth printer, with its amount.
set -eu
. ./lib.sh
before=$(printed_size)
push '{"kind":"payment","amount":"88.80","channel":"alipay"}'
printed_text "$before" >/tmp/text
grep -q '88.80' /tmp/text || { cat /tmp/text; echo "the receipt has no amount"; exit 1; }
echo "$(($(printed_size) - before)) bytes over RFCOMM"
