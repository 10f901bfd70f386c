#!/bin/bash
# The light is steady when the box is ready, and blinks while it is busy.
set -eu
. ./lib.sh
# changes SECONDS: how often the line changed its level.
changes() {
    local end=$(($(date +%s%N) + $1 * 1000000000)) count=0 level last
    last=$(gpio read 27)
    while [ "$(date +%s%N)" -lt "$end" ]; do
        level=$(gpio read 27)
        [ "$level" = "$last" ] || count=$((count + 1))
        last=$level
    done
    echo $count
}
sleep 1
steady=$(changes 3)
push '{"kind":"payment","amount":"1234.56","channel":"wechat"}' >/tmp/light-push & pushing=$!
busy=$(changes 5)
wait $pushing
echo "level $(gpio read 27) when ready with $steady changes, $busy changes while busy"
[ "$steady" = 0 ] && [ "$(gpio read 27)" = 1 ] && [ "$busy" -ge 2 ]
