#!/usr/bin/env bash
# A hub: hub.sh KEY-FILE HOST:PORT BODY pushes one body to a listening box and prints what became of it.
# Needs bash, openssl and xxd.
set -euo pipefail
key=$(tr -d '\n' <"$1") place=$2 body=$3
id=sh-$(openssl rand -hex 8) # the same at every try: the box tells each id once
now() { echo "$(date +%s)000"; }
sent=$(now)
crc32c() { # hex -> hex
    local crc=$((0xFFFFFFFF)) i bit
    for ((i = 0; i < ${#1}; i += 2)); do
        crc=$((crc ^ 16#${1:i:2}))
        for bit in 1 2 3 4 5 6 7 8; do crc=$((crc & 1 ? crc >> 1 ^ 0x82F63B78 : crc >> 1)); done
    done
    printf %08x $((crc ^ 0xFFFFFFFF))
}

send() { # type payload
    local data head
    data=$(printf %s "$2" | xxd -p -c 0)
    sequence=$((sequence + 1))
    head=$(printf 'c0b101%s%08x%08x' "$1" "$sequence" $((${#data} / 2)))
    printf %s "$head$(crc32c "$head$data")$data" | xxd -r -p >&3
}

receive() { # sets type, number and payload
    local head data
    head=$(head -c 16 <&3 | xxd -p -c 0)
    [ ${#head} = 32 ] || return 1
    data=$(head -c $((16#${head:16:8})) <&3 | xxd -p -c 0)
    [ "${head:0:6}" = c0b101 ] && [ "${head:24}" = "$(crc32c "${head:0:24}$data")" ] || return 1
    type=${head:6:2} number=$((16#${head:8:8})) payload=$(printf %s "$data" | xxd -r -p)
}

field() { printf %s "$payload" | sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p"; }
prove() { # role
    printf %s "counterbox-1|$1|$(field box)|$nonce|$(field nonce)|plain" |
        openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" | sed 's/.* //'
}

push() {
    local sequence=0 done='' nonce type number payload
    nonce=$(openssl rand -hex 32)
    exec 3<>"/dev/tcp/${place%:*}/${place##*:}" || return 1
    send 01 "{\"role\":\"hub\",\"hub\":\"example-sh\",\"nonce\":\"$nonce\",\"time\":$(now)}"
    while receive; do
        case $type in
            01) [ "$(field proof)" = "$(prove box)" ] || { echo "this box has another key" >&2; exit 1; }
                send 02 "{\"proof\":\"$(prove hub)\"}"
                send 10 "{\"id\":\"$id\",\"sent\":$sent,\"time\":$(now),\"body\":$body}" ;;
            11) echo "$payload" # RESULT; the last one tells of voice and paper
                case $payload in *'"refused"'*) return 0 ;; *'"voice":'*'"paper":'*) done=yes ;; esac ;;
            20) send 21 "{\"ping\":$number}" # every RESULT before it is printed, which is how this hub keeps them
                if [ -n "$done" ]; then send 7f '{"reason":"closing"}'; return 0; fi ;;
            7f) echo "the box says goodbye: $(field reason)" >&2; exit 1 ;;
        esac
    done
    return 1
}
until push; do echo "no connection: once more in 2 s" >&2; sleep 2; done
