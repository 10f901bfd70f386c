# Sourced by the scripts that build for Debian 13 or out of its packages, after common.sh: its roots, its compiler, its mirror.

cache=$(given "${COUNTERBOX_CACHE:-}")
cache=${cache:-${XDG_CACHE_HOME:-$HOME/.cache}/counterbox}
[ -z "${COUNTERBOX_CACHE:-}" ] || export COUNTERBOX_CACHE=$cache
debian13=$cache/debian13
bundle=$debian13/root/sdk/debian13-arm64.artifactbundle
sysroot=$bundle/sysroot
lean='APT::Install-Recommends "false"'

# What the firmware is linked against.
libraries=libasound2-dev,libgpiod-dev,libbluetooth-dev,libsqlite3-dev,libssl-dev,nettle-dev,libsndfile1-dev,libsamplerate0-dev
libraries+=,libqrencode-dev,libpng-dev,libnats-dev,libicu-dev,libsystemd-dev

# Of a program: the Debian package that has it.
package_of() {
    case $1 in
        qemu-aarch64-static) echo qemu-user-static ;;
        qemu-system-aarch64) echo qemu-system-arm ;;
        qemu-system-x86_64) echo qemu-system-x86 ;;
        mkfs.ext4 | debugfs | resize2fs) echo e2fsprogs ;;
        mkfs.vfat) echo dosfstools ;;
        mcopy) echo mtools ;;
        mksquashfs | unsquashfs) echo squashfs-tools ;;
        sfdisk) echo fdisk ;;
        dtc | fdtoverlay) echo device-tree-compiler ;;
        mkimage) echo u-boot-tools ;;
        *) echo "$1" ;;
    esac
}

# Ends with the one command that installs what is missing of the programs named.
need() {
    local tool missing=()
    for tool in "$@"; do command -v "$tool" >/dev/null || missing+=("$(package_of "$tool")"); done
    [ ${#missing[@]} = 0 ] || fail "this is missing here: apt-get install ${missing[*]}"
}

need_root() { [ "$(id -u)" = 0 ] || fail "needs root: run it with sudo"; }

# Debian's mirror as this machine's own apt has it, with the suite changed. $1: the file; $2…: its components.
write_sources() {
    local file=$1 mirror security
    shift
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
        awk '$2 ~ /^[a-z]+$/ && $1 ~ /debian\/$/ {print $1; exit}')
    security=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
        awk '$1 ~ /security/ {print $1; exit}')
    [ -n "$mirror" ] || fail "apt knows no Debian mirror: run apt-get update, then try again"
    cat >"$file" <<S
Types: deb
URIs: $mirror
Suites: trixie trixie-updates
Components: $*
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: ${security:-$mirror}
Suites: trixie-security
Components: $*
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
S
}

# apt of another architecture, that downloads without touching this machine's own: apt_for ARCH update|download …
apt_for() {
    local architecture=$1 apt=$debian13/apt-$1
    shift
    mkdir -p "$apt"/etc/{apt.conf.d,preferences.d,sources.list.d} "$apt"/state/lists/partial "$apt"/cache/archives/partial
    : >"$apt/status"
    cp "$debian13/trixie.sources" "$apt/etc/sources.list.d/"
    cat >"$apt/apt.conf" <<A
Dir::Etc "$apt/etc"; Dir::State "$apt/state"; Dir::Cache "$apt/cache"; Dir::State::status "$apt/status";
APT::Architecture "$architecture"; APT::Architectures { "$architecture"; }; Acquire::Languages "none"; APT::Sandbox::User "root";
A
    APT_CONFIG=$apt/apt.conf apt-get -qq "$@"
}

make_compiler_root() {
    step "making the Debian 13 root with its Swift"
    rm -rf "$debian13/root"
    mmdebstrap --quiet --variant=apt --mode=root --architectures=amd64 --format=directory --aptopt="$lean" \
        --include="swiftlang,libc6-dev,libstdc++-14-dev,pkg-config,git,ca-certificates,dpkg-dev,$libraries" \
        trixie "$debian13/root" "$debian13/trixie.sources"
}

# The target's headers and libraries, unpacked only: no arm64 code runs here. Swift's arm64 modules come out of
# swiftlang:arm64.
make_sysroot() {
    step "making the arm64 sysroot"
    rm -rf "$bundle"
    mkdir -p "$bundle"
    mmdebstrap --quiet --variant=extract --mode=root --architectures=arm64 --format=directory --aptopt="$lean" \
        --include="libc6-dev,libgcc-14-dev,libstdc++-14-dev,libswiftlang,$libraries" \
        trixie "$sysroot" "$debian13/trixie.sources"
    ln -sfn usr/lib "$sysroot/lib"
    apt_for arm64 update
    (
        cd "$debian13/apt-arm64"
        apt_for arm64 download swiftlang
        dpkg-deb --fsys-tarfile swiftlang_*_arm64.deb |
            tar -x -C "$sysroot" --exclude='*/lib/swift/host' --exclude='*/lib/swift/embedded' \
                --exclude='*/lib/swift/migrator' --exclude='*/lib/swift/pm' \
                ./usr/libexec/swift/lib/swift ./usr/libexec/swift/lib/swift_static
        rm swiftlang_*_arm64.deb
    )
    mkdir -p "$sysroot/usr/libexec/swift/lib/clang"
    cp -r "$debian13/root/usr/libexec/swift/lib/clang/17" "$sysroot/usr/libexec/swift/lib/clang/"
    echo '{"CanonicalName":"linux","DisplayName":"Debian 13 arm64","Version":"13.0","SupportedTargets":{}}' \
        >"$sysroot/SDKSettings.json"
    cat >"$bundle/swift-sdk.json" <<J
{ "schemaVersion": "4.0",
  "targetTriples": { "aarch64-unknown-linux-gnu": {
      "sdkRootPath": "sysroot",
      "swiftResourcesPath": "sysroot/usr/libexec/swift/lib/swift",
      "swiftStaticResourcesPath": "sysroot/usr/libexec/swift/lib/swift_static",
      "toolsetPaths": [ "toolset.json" ] } } }
J
    echo '{ "schemaVersion": "1.0", "swiftCompiler": { "extraCLIOptions": [ "-use-ld=lld" ] } }' >"$bundle/toolset.json"
    echo '{ "schemaVersion": "1.0", "artifacts": { "debian13-arm64": {
      "type": "swiftSDK", "version": "6.0.3", "variants": [ { "path": "." } ] } } }' >"$bundle/info.json"
}

# The roots are made anew when what they are made of has changed.
prepare_debian13() {
    local architecture=$1
    mkdir -p "$debian13"
    write_sources "$debian13/trixie.sources" main
    if [ "$(cat "$debian13/libraries" 2>/dev/null)" != "$libraries" ]; then
        make_compiler_root
        echo "$libraries" >"$debian13/libraries"
    fi
    if [ "$architecture" = arm64 ] && [ "$(cat "$bundle/libraries" 2>/dev/null)" != "$libraries" ]; then
        make_sysroot
        echo "$libraries" >"$bundle/libraries"
    fi
}

# Builds counterbox for amd64 or arm64 with Debian 13's Swift, into out/ARCH/counterbox. In a mount namespace of its own,
# so that nothing stays mounted. Always at the same path, which the compiler writes into what it makes.
build_for_debian13() {
    local architecture=$1
    prepare_debian13 "$architecture"
    step "building for $architecture"
    # Of a copy, so that the sources may be worked on meanwhile.
    rm -rf "$debian13/source"
    mkdir -p "$debian13"/{source,root/src,root/out,"build-$architecture"} "out/$architecture"
    tar -c Package.swift Sources Tests | tar -x -C "$debian13/source"
    export debian13 architecture
    # shellcheck disable=SC2016
    quietly unshare --mount --propagation private bash -euc '
        root=$debian13/root
        mount --bind "$debian13/source" "$root/src"
        mount --bind "$debian13/build-$architecture" "$root/out"
        mount --bind /proc "$root/proc"
        mount --rbind /dev "$root/dev"
        chroot "$root" env -i HOME=/root PATH=/usr/bin:/bin architecture="$architecture" bash -euc "
            target=() s=
            if [ \$architecture = arm64 ]; then
                s=/sdk/debian13-arm64.artifactbundle/sysroot
                export PKG_CONFIG_SYSROOT_DIR=\$s
                export PKG_CONFIG_PATH=\$s/usr/lib/aarch64-linux-gnu/pkgconfig:\$s/usr/share/pkgconfig
                target=(--swift-sdks-path /sdk --swift-sdk debian13-arm64)
            fi
            # Small and little in memory (docs/performance.md): what nobody calls goes, what is the same is there once,
            # nothing is shown to other libraries, C++ of the Swift runtime is linked in. The same bytes each time: hashes in
            # one order, and without sums that the compiler keeps for its own next build.
            mkdir -p /out/static
            ln -sf \$s/usr/lib/gcc/*-linux-gnu/14/libstdc++.a /out/static/libstdc++.a
            cd /src
            SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --product counterbox \"\${target[@]}\" \
                --static-swift-stdlib --scratch-path /out --explicit-target-dependency-import-check error \
                -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -function-sections \
                -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xswiftc -use-ld=lld \
                -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xlinker -L/out/static \
                -Xlinker --no-export-dynamic -Xlinker --gc-sections -Xlinker --icf=safe -Xlinker -s \
                -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now"'
    cp "$debian13/build-$architecture"/*-linux-gnu/release/counterbox "out/$architecture/counterbox"
    step "built out/$architecture/counterbox, $(stat -c %s "out/$architecture/counterbox") bytes"
}
