# Sourced by the other scripts: where the project is, how to say things, which Swift builds it.

set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
caller=$PWD
cd "$project"

step() { printf '==> %s\n' "$*" >&2; }
fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# `--help` prints the comment at the top of the script.
usage() { sed -n '2,/^$/s/^# \{0,1\}//p' "$project/scripts/$(basename "$0")"; }

# A path as whoever called the script wrote it: from the folder that they stand in. None stays none.
given() {
    case $1 in
        "" | /*) printf '%s' "$1" ;;
        *) printf '%s/%s' "$caller" "$1" ;;
    esac
}

for argument in "$@"; do
    case $argument in
        -h | --help) usage; exit 0 ;;
    esac
done

# The oldest Swift that builds the project.
least_swift=6.0

# Whether the Swift at $1 is `least_swift` or newer.
swift_is_new_enough() {
    local version
    version=$("$1" --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' | head -n 1)
    [ -n "$version" ] && [ "$(printf '%s\n%s\n' "$least_swift" "$version" | sort -V | head -n 1)" = "$least_swift" ]
}

# Puts a Swift that is new enough on PATH; returns 1 where there is none.
find_swift() {
    local candidate
    for candidate in "$(command -v swift || true)" /usr/bin/swift /opt/swift/usr/bin/swift /usr/share/swift/usr/bin/swift \
        /usr/local/swift/usr/bin/swift "$HOME/.local/share/swiftly/bin/swift" "$HOME/swift/usr/bin/swift"; do
        if [ -x "$candidate" ] && swift_is_new_enough "$candidate"; then
            PATH=$(dirname "$candidate"):$PATH
            export PATH
            return 0
        fi
    done
    return 1
}

# Every build of the project, so that all scripts share one .build.
swift_flags=(--explicit-target-dependency-import-check error)

# A terminal sees the compiler's progress; a pipe gets only what went wrong.
quietly() {
    if [ -t 2 ]; then "$@" >&2; return; fi
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 || status=$?
    if [ "$status" != 0 ]; then cat "$log" >&2; fi
    rm -f "$log"
    return "$status"
}
