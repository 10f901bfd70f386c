# Sourced by scripts/release and scripts/test-docs, after common.sh: the pages of a release, so that it can be followed without a checkout.

# The pages, what they lead to, and `flash` with what it sources; each where the project has it, so that links lead there.
released=(README.md ARCHITECTURE.md CHANGELOG.md LICENSE docs board Resources/fleet
    packaging/counterbox-gadget packaging/image/boot.cmd scripts/flash scripts/lib/common.sh)

# Puts them into the folder $1, and fails where a link would lead nowhere there.
ship_pages() {
    mkdir -p "$1"
    git ls-files -z -- "${released[@]}" ':!docs/Counterbox.docc' | tar -c --null -T - | tar -x -C "$1"
    python3 -B scripts/lib/docs/pages.py "$1" || fail "a page of the release leads to what the release lacks: released in scripts/lib/release.sh"
}
