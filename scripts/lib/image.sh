# Sourced by scripts/image, after debian13.sh: the root of an image, and the disk around it.
#
#   blocks 2048, 4096    512 bytes each: which system starts, and how often it may still try (packaging/image/counterbox-boot)
#   partition 1          FAT: what starts the board; counterbox-setup.json5 and an update are put there
#   partition 2, 3       the systems A and B, never written but by an update
#   partition 4          data: settings, key, journal, logs, bonds

images=$cache/images
disk_id=cb0b0001
boot_mib=512
system_mib=1024
data_mib=256

# What updates are signed with.
update_key=$(given "${COUNTERBOX_UPDATE_KEY:-}")
update_key=${update_key:-$project/out/update-key.pem}
update_certificate=$(given "${COUNTERBOX_UPDATE_CERTIFICATE:-}")
update_certificate=${update_certificate:-$project/out/update-certificate.pem}
# Scripts that these scripts call stand elsewhere.
export COUNTERBOX_UPDATE_KEY=$update_key COUNTERBOX_UPDATE_CERTIFICATE=$update_certificate

# The names in a list of packages or in a board's: comments left out.
listed() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@"; }

# Programs of arm64 run here through qemu: the kernel has to be told.
need_arm64_programs() {
    local rules=/proc/sys/fs/binfmt_misc
    [ -e "$rules/register" ] || mount -t binfmt_misc none "$rules" 2>/dev/null || true
    if [ ! -e "$rules/qemu-aarch64" ]; then
        [ -r /usr/lib/binfmt.d/qemu-aarch64.conf ] || fail "this is missing here: apt-get install qemu-user-static"
        cat /usr/lib/binfmt.d/qemu-aarch64.conf >"$rules/register" 2>/dev/null ||
            fail "the kernel does not start programs of arm64: systemctl restart systemd-binfmt"
    fi
}

# The root of Debian's packages that every image has, as a file; made anew when the list changes. Prints its path.
base_root() {
    local packages tar
    packages=$({ listed packaging/image/packages
        dpkg-deb -f "$deb" Depends | tr ',' '\n' | sed -e 's/([^)]*)//g' -e 's/|.*//' -e 's/ //g'; } | sort -u | paste -sd,)
    tar=$images/base-$(echo "$packages" | sha256sum | cut -c 1-16).tar
    if [ ! -e "$tar" ]; then
        step "Debian 13, through qemu (once)"
        # shellcheck disable=SC2016
        quietly mmdebstrap --variant=extract --mode=root --architectures=arm64 --skip=check/qemu --format=tar --aptopt="$lean" \
            --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
            --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
            --include="?essential" --include="$packages" --extract-hook="$project/scripts/lib/install-base \"\$1\"" \
            trixie "$tar.$$" "$images/trixie.sources"
        mv "$tar.$$" "$tar"
    fi
    echo "$tar"
}

# What only the board $2 needs, into the root $1. Its first root needs none of it, and making one through qemu takes minutes.
add_board_packages() {
    local root=$1 packages debian13=$images conf=$1/etc/initramfs-tools/update-initramfs.conf
    packages=$(listed "board/$2/packages")
    [ -n "$packages" ] || return 0
    step "the packages of $2"
    apt_for arm64 update
    rm -f "$debian13"/apt-arm64/cache/archives/*.deb
    # shellcheck disable=SC2086
    quietly apt_for arm64 -o Dir::State::status="$root/var/lib/dpkg/status" --no-install-recommends --yes --download-only install $packages
    sed -i.kept 's/^update_initramfs=.*/update_initramfs=no/' "$conf"
    quietly dpkg --root="$root" --force-unsafe-io --path-exclude='/usr/share/doc/*' --path-include='/usr/share/doc/*/copyright' \
        --unpack "$debian13"/apt-arm64/cache/archives/*.deb
    run_in "$root" env INITRD=No dpkg --configure --pending
    mv "$conf.kept" "$conf"
    # What packages put there is for one system; fill_boot says what the boot partition has.
    rm -rf "$root"/boot/firmware/*
}

# run_in ROOT COMMAND…: in a root of arm64, with what programs expect to be mounted, in a mount namespace of its own.
run_in() {
    quietly unshare --mount --propagation private bash -euc '
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        mount -t tmpfs none "$1/run"
        mount -t tmpfs none "$1/tmp"
        root=$1
        shift
        chroot "$root" env -i QEMU_CPU=cortex-a53 PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' _ "$@"
}

# Debian's root, the package and our settings become the system, in $1.
make_system() {
    local root=$1 board=$2 unit
    mkdir -p "$root"
    tar -x -C "$root" -f "$(base_root)"
    [ ! -e "board/$board/packages" ] || add_board_packages "$root" "$board"
    step "the system for $board"
    cp -r packaging/image/root/. "$root/"
    mkdir -p "$root/data" "$root/boot/firmware" "$root/var/log/journal" "$root/etc/wpa_supplicant" "$root/etc/default"
    cp "$deb" "$root/counterbox.deb"
    run_in "$root" dpkg -i /counterbox.deb
    rm "$root/counterbox.deb"
    # systemd makes it elsewhere; here it is where the data partition's own is mounted.
    run_in "$root" install -d -o counterbox -g counterbox -m 0700 /var/lib/counterbox
    install -m 755 -t "$root/usr/libexec/counterbox" packaging/image/counterbox-{boot,notice,trial,update}
    install -m 644 -t "$root/usr/lib/systemd/system" packaging/image/counterbox-{trial,update}.service
    install -D -m 644 packaging/image/rauc.conf "$root/etc/rauc/system.conf"
    sed -i "s/@BOARD@/$board/" "$root/etc/rauc/system.conf"
    # Updates are taken from whoever has this certificate's key.
    install -m 644 "$update_certificate" "$root/etc/rauc/keyring.pem"
    run_in "$root" systemctl enable systemd-networkd systemd-resolved systemd-timesyncd \
        counterbox counterbox-setup counterbox-trial counterbox-update
    # Nobody logs in: there is no password, no ssh, and serial ports are the box's own.
    for unit in getty@.service serial-getty@.service console-getty.service getty-static.service wpa_supplicant.service \
        systemd-firstboot.service apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer \
        systemd-machine-id-commit.service systemd-networkd-wait-online.service; do
        ln -sfn /dev/null "$root/etc/systemd/system/$unit"
    done
    ln -sfn ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
    echo counterbox >"$root/etc/hostname"
    printf '127.0.0.1 localhost counterbox\n::1 localhost\n' >"$root/etc/hosts"
    : >"$root/etc/machine-id"
    printf 'IMAGE_ID=counterbox-%s\nIMAGE_VERSION=%s\n' "$board" "$version" >>"$root/usr/lib/os-release"
    make_first_root "$root"
    rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/* "$root/etc/machine-id"
    mkdir -p "$root/var/log/journal"
    : >"$root/etc/machine-id"
}

# The kernel and its first root under names that the boot script knows. Our script, and what that needs, go behind Debian's first
# root as an archive of their own (the kernel unpacks one over the other): making one through qemu takes minutes.
make_first_root() {
    local root=$1 first=$work/first kernel library
    kernel=$(basename "$(echo "$root"/usr/lib/modules/*)")
    [ -z "$(ls "$root/usr/share/initramfs-tools/scripts/local-bottom" 2>/dev/null)" ] ||
        fail "a package brings a script of its own into the first root: its line is missing in ours"
    install -D -m 755 packaging/image/counterbox-data "$first/scripts/local-bottom/counterbox-data"
    printf '%s\n' '/scripts/local-bottom/counterbox-data "$@"' '[ -e /conf/param.conf ] && . /conf/param.conf' \
        >"$first/scripts/local-bottom/ORDER"
    # In a folder of their own: a file of the same name is busybox there, which has many names, and all would be written over.
    install -D -m 755 -t "$first/usr/lib/counterbox" "$root/usr/sbin/e2fsck" "$root/usr/sbin/mke2fs"
    install -D -m 644 "$root/etc/mke2fs.conf" "$first/etc/mke2fs.conf"
    mkdir -p "$first/usr/lib/aarch64-linux-gnu" "$first/usr/lib/counterbox"
    for library in libext2fs libe2p libcom_err libblkid libuuid; do
        cp -L "$root"/usr/lib/aarch64-linux-gnu/$library.so.? "$first/usr/lib/aarch64-linux-gnu/"
    done
    xz -dc "$root/usr/lib/modules/$kernel/kernel/fs/overlayfs/overlay.ko.xz" >"$first/usr/lib/counterbox/overlay.ko"
    cp "$root/boot/initrd.img-$kernel" "$root/boot/initrd"
    truncate -s %4 "$root/boot/initrd"
    (cd "$first" && find . | LC_ALL=C sort | cpio -o -H newc --quiet -R 0:0 | zstd -q -9) >>"$root/boot/initrd"
    mv "$root/boot/vmlinuz-$kernel" "$root/boot/kernel"
    rm -f "$root"/boot/System.map-* "$root"/boot/initrd.img* "$root"/vmlinuz* "$root"/initrd.img*
}

# The root $1 as a file system no larger than it has to be, $2: what an update writes.
make_system_image() {
    local blocks
    truncate -s "${system_mib}M" "$2"
    mkfs.ext4 -q -b 4096 -O ^has_journal,^metadata_csum_seed,^orphan_file -L system -d "$1" "$2"
    quietly resize2fs -M "$2"
    blocks=$(dumpe2fs -h "$2" 2>/dev/null | sed -n 's/^Block count: *//p')
    truncate -s $((blocks * 4096)) "$2"
    quietly e2fsck -fn "$2"
}

# The boot partition's files for $2, out of its system $3, in $1.
fill_boot() {
    local boot=$1 board=$2 root=$3 addresses
    mkdir -p "$boot"
    addresses=$(listed "board/$board/boot.txt" | sed 's/^\([a-z_]*\)=/setenv \1 /')
    awk -v addresses="$addresses" -v disk="$disk_id" -v line="$(cat "board/$board/cmdline.txt")" '
        /^#/ { next }
        $0 == "@ADDRESSES@" { print addresses; next }
        { gsub(/@CMDLINE@/, line); gsub(/@DISK@/, disk); print }' packaging/image/boot.cmd >"$work/boot.cmd"
    mkimage -A arm64 -T script -C none -n "counterbox $version" -d "$work/boot.cmd" "$boot/boot.scr" >/dev/null
    echo "counterbox $version for $board" >"$boot/counterbox-version.txt"
    cp docs/counterbox-setup.example.json5 "$boot/counterbox-setup.example.json5"
    [ ! -e "board/$board/config.txt" ] || fill_raspberry "$boot" "$board" "$root"
}

# What a Raspberry Pi's processor starts before the kernel: its own programs, U-Boot behind them, the device tree and its overlays.
fill_raspberry() {
    local boot=$1 board=$2 root=$3 tree overlay name trees=()
    cp "board/$board/config.txt" "$boot/"
    # Those for cameras and for looking for faults are left out: config.txt asks for none of them.
    cp "$root"/usr/lib/raspi-firmware/{bootcode.bin,start.elf,start_cd.elf,start4.elf,start4cd.elf} \
        "$root"/usr/lib/raspi-firmware/{fixup.dat,fixup_cd.dat,fixup4.dat,fixup4cd.dat} "$boot/"
    cp "$root/usr/lib/u-boot/rpi_arm64/u-boot.bin" "$boot/"
    tree=$(sed -n 's/^device_tree=//p' "board/$board/config.txt")
    cp "$root"/usr/lib/linux-image-*/broadcom/"$tree" "$boot/"
    mkdir -p "$boot/overlays"
    for name in $(sed -nE 's/^dtoverlay=([^,]*).*/\1/p' "board/$board/config.txt"); do
        dtc -q -@ -I dts -O dtb -o "$boot/overlays/$name.dtbo" "board/$board/overlays/$name.dts"
        trees+=("$boot/overlays/$name.dtbo")
    done
    # An overlay that does not fit the kernel's tree is passed over by the board without a word.
    fdtoverlay -i "$boot/$tree" -o "$work/merged.dtb" "${trees[@]}" || fail "an overlay of $board does not fit the kernel's $tree"
}

# The disk $1 out of the boot partition's files $2 and the system's file system $3.
assemble() {
    local disk=$1 boot=$2 system=$3 start=$((4)) total
    total=$((start + boot_mib + 2 * system_mib + data_mib))
    rm -f "$disk"
    truncate -s "${total}M" "$disk"
    sfdisk -q "$disk" <<P
label: dos
label-id: 0x$disk_id
start=${start}MiB, size=${boot_mib}MiB, type=c, bootable
start=$((start + boot_mib))MiB, size=${system_mib}MiB, type=83
start=$((start + boot_mib + system_mib))MiB, size=${system_mib}MiB, type=83
start=$((start + boot_mib + 2 * system_mib))MiB, size=${data_mib}MiB, type=83
P
    truncate -s "${boot_mib}M" "$work/boot.img"
    mkfs.vfat -F 32 -n COUNTERBOX -i "$disk_id" "$work/boot.img" >/dev/null
    mcopy -s -Q -i "$work/boot.img" "$boot"/* ::
    truncate -s "${data_mib}M" "$work/data.img"
    mkfs.ext4 -q -L data "$work/data.img"
    place "$work/boot.img" $start
    place "$system" $((start + boot_mib))
    place "$work/data.img" $((start + boot_mib + 2 * system_mib))
}

# place FILE MIB: onto the disk, holes left out.
place() { dd if="$1" of="$disk" bs=1M seek="$2" conv=notrunc,sparse status=none; }

# The key $1 and the certificate $2 that updates are signed with, where there are none.
make_update_key() {
    if [ -e "$1" ] && [ -e "$2" ]; then return 0; fi
    if [ -e "$1" ] || [ -e "$2" ]; then fail "of the key $1 and its certificate $2 one is missing"; fi
    step "a new key for updates, $1: boxes whose image was made with another one take no update of it. Keep it, and keep it secret"
    (umask 077 && openssl req -x509 -newkey rsa:4096 -nodes -keyout "$1" -out "$2" -days 36500 -subj "/O=Counterbox/CN=updates" 2>/dev/null)
    chmod 644 "$2"
}

# Ends where the key that boxes in the field know, or its certificate, is not here.
check_update_key() {
    [ -r "$update_key" ] || fail "there is no key $update_key. Boxes take no update but of the key that their image was made with: bring it
there or name it in COUNTERBOX_UPDATE_KEY. For a first release --new-key makes one"
    [ -r "$update_certificate" ] || fail "there is no certificate $update_certificate: bring it there or name it in COUNTERBOX_UPDATE_CERTIFICATE"
    [ "$(openssl x509 -in "$update_certificate" -noout -pubkey)" = "$(openssl pkey -in "$update_key" -pubout)" ] ||
        fail "$update_certificate is not the certificate of $update_key"
}

# The folder $1 with a system.ext4, for the board $2 and of version $3, signed with certificate $4 and key $5, as the update $6.
make_bundle() {
    [ -e "$5" ] || fail "there is no key $5"
    cat >"$1/manifest.raucm" <<M
[update]
compatible=counterbox-$2
version=$3

[bundle]
format=verity

[image.system]
filename=system.ext4
M
    rm -f "$6"
    quietly rauc bundle --mksquashfs-args="-comp zstd -Xcompression-level 6" --cert="$4" --key="$5" "$1" "$6"
}
