#!/bin/bash
# Sourced by the tests: pushes and waiting.

key=/var/lib/counterbox/box.key

# push BODY [OPTION…]: sends it, prints the results; fails where anything of it failed.
push() { counterbox push --key $key --timeout 60 "${@:2}" "$1"; }

# until_true SECONDS COMMAND…: polls until it succeeds.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do [ $SECONDS -lt $end ] || { echo "in vain: $*"; return 1; }; sleep 0.3; done
}

# The text of what the printer got since it had $1 bytes, without spaces: wide letters have one behind each.
printed_text() {
    tail -c +$(($1 + 1)) /run/printed >/tmp/printed-now
    counterbox receipt decode --printer generic-58mm --as text /tmp/printed-now | tr -d ' '
}
printed_size() { stat -c %s /run/printed 2>/dev/null || echo 0; }
