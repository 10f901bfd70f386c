# Sourced by scripts/lab, after debian13.sh: the lab's machine. A kernel, an initrd and a root, made once of Debian's packages.
# Each step leaves a stamp whose name is a hash of what went into it, so that a second run does nothing.

lab=$cache/lab

# Debian 12's 6.1.187-1. The latest ones of Debian 12 (6.1.192) crash in RFCOMM after a call to a printer that is off, and
# 6.12's gpio-sim cannot be built beside Debian's kernel yet.
kernel=${LAB_KERNEL:-6.1.0-53-amd64}

guest_packages=systemd,systemd-sysv,libpam-systemd,mount,procps,kmod,iproute2,udev,dbus,bluez,bluez-test-tools,alsa-utils
guest_packages+=,gpiod,python3,python3-dbus,python3-gi,socat,espeak-ng
# What the package needs, so that installing it needs no network.
guest_packages+=,libasound2t64,libgpiod3,libbluetooth3,libsqlite3-0,libssl3t64,libsndfile1,libsamplerate0,libqrencode4
guest_packages+=,libpng16-16t64,libnats3.10,libnettle8t64,libicu76,ca-certificates

# Modules that the guest gets, with what they depend on.
boot_modules=(virtio_pci virtio_blk squashfs overlay)
guest_modules=(virtio_console virtio_rng 9p 9pnet_virtio configfs snd-aloop
    bluetooth hci_vhci rfcomm bnep hidp uhid uinput
    cmac ecb algif_hash algif_skcipher drbg ctr hmac sha512_generic jitterentropy_rng
    dummy_hcd libcomposite usb_f_acm usb_f_serial cdc-acm usblp usbserial)

# stale STEP INPUT…: whether the step has to run for these inputs.
stale() {
    stamp=$lab/stamp.$1.$(printf '%s\n' "${@:2}" | sha256sum | cut -c 1-16)
    [ ! -e "$stamp" ] || return 1
    rm -f "$lab/stamp.$1".*
}
fresh() { touch "$stamp"; }

# Debian 12 with the kernel's headers and a compiler: the kernel, and what is built beside it, come out of it.
lab_kernel() {
    local root=$lab/kernel-root
    step "the lab's kernel $kernel, and gpio-sim for it"
    write_sources "$lab/bookworm.sources" main
    sed -i 's/trixie/bookworm/g' "$lab/bookworm.sources"
    rm -rf "$root"
    quietly mmdebstrap --variant=apt --mode=root --architectures=amd64 --format=directory --aptopt="$lean" \
        --include="linux-headers-$kernel,gcc,make,libc6-dev,python3-minimal,xz-utils" \
        --customize-hook="copy-in scripts/lib/gpio-sim /" --customize-hook="chroot \"\$1\" bash /gpio-sim $kernel" \
        bookworm "$root" "$lab/bookworm.sources" ||
        fail "is kernel $kernel still on the mirror? Else take another: LAB_KERNEL=VERSION-amd64 scripts/lab"
    depmod -b "$root/kernel" "$kernel"
    xz_or_zstd "$root/payload" >"$lab/vmlinux"
}

xz_or_zstd() {
    case $(head -c 4 "$1" | od -An -tx1 | tr -d ' ') in
        fd377a58) xz -dc --single-stream <"$1" ;;
        28b52ffd) head -c -4 "$1" | zstd -dc ;;
        *) fail "the kernel is packed in an unknown way" ;;
    esac
}

lab_root() {
    step "the lab's Debian 13"
    rm -rf "$lab/root"
    mmdebstrap --quiet --mode=root --variant=essential --architectures=amd64 --format=directory --aptopt="$lean" \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --include="$guest_packages" \
        trixie "$lab/root" "$debian13/trixie.sources"
}

# copy_modules FOLDER MODULE…: those modules, all they need, and the indexes.
copy_modules() {
    local from=$lab/kernel-root/kernel/lib/modules/$kernel to=$1/lib/modules/$kernel module
    shift
    mkdir -p "$to"
    cp "$from"/modules.{builtin,builtin.modinfo,order} "$to/"
    for module in "$@"; do
        modprobe -d "$lab/kernel-root/kernel" -S "$kernel" --show-depends "$module" | awk '$1 == "insmod" { print $2 }'
    done | sort -u | while read -r module; do install -D -m 644 "$module" "$to/${module#"$from/"}"; done
}

lab_image() {
    local root=$lab/root first=$lab/initrd
    step "the lab's root and initrd"
    rm -rf "$root/usr/lib/modules" "$root/lab"
    copy_modules "$root/usr" "${boot_modules[@]}" "${guest_modules[@]}"
    install -D -m 644 "$lab/kernel-root/gpio-sim.ko" "$root/usr/lib/modules/$kernel/extra/gpio-sim.ko"
    depmod -b "$root" "$kernel"
    install -D -m 755 -t "$root/lab" scripts/lab-guest/*
    mkdir -p "$root"/{share,ctl}
    install -m 644 scripts/lab-guest/lab.service "$root/etc/systemd/system/lab.service"
    mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
    ln -sf ../lab.service "$root/etc/systemd/system/multi-user.target.wants/lab.service"
    ln -sf /lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
    # The virtual console is the lab's.
    mkdir -p "$root/etc/systemd/system-generators"
    ln -sf /dev/null "$root/etc/systemd/system-generators/systemd-getty-generator"
    # The lab starts its own, with the printer's side in it as well.
    ln -sf /dev/null "$root/etc/systemd/system/bluetooth.service"
    echo lab >"$root/etc/hostname"
    # Nothing is new since the caches were made: else ldconfig and the journal's catalogue take ten seconds of each start.
    touch "$root/etc/.updated" "$root/var/.updated"
    rm -f "$lab/root.squashfs"
    mksquashfs "$root" "$lab/root.squashfs" -comp zstd -Xcompression-level 6 -noappend -quiet -no-progress -no-xattrs \
        -wildcards -e 'var/cache/apt/*' 'var/lib/apt/lists/*' 'proc/*' 'sys/*' 'dev/*' 'run/*' 'tmp/*' >/dev/null
    rm -rf "$first"
    mkdir -p "$first"/{bin,proc,sys,dev,low,rw,root}
    cp "$(command -v busybox)" "$first/bin/busybox"
    copy_modules "$first" "${boot_modules[@]}"
    depmod -b "$first" "$kernel"
    install -m 755 scripts/lab-guest/initrd-init "$first/init"
    (cd "$first" && find . | cpio -o -H newc --quiet | zstd -q -9) >"$lab/initrd.img"
}

prepare_lab() {
    mkdir -p "$lab"
    mkdir -p "$debian13"
    write_sources "$debian13/trixie.sources" main
    if stale kernel "$kernel" "$(cat scripts/lib/gpio-sim)" "$(declare -f lab_kernel)"; then lab_kernel; fresh; fi
    if stale root "$guest_packages" "$(declare -f lab_root)"; then lab_root; fresh; fi
    if stale image "$(ls "$lab"/stamp.kernel.* "$lab"/stamp.root.*)" "$(cat scripts/lab-guest/*)" \
        "$(declare -f copy_modules lab_image)" "${boot_modules[*]} ${guest_modules[*]}"; then lab_image; fresh; fi
}

# /dev/kvm alone proves little: without VMX or SVM it emulates the kernel instruction by instruction, far slower than TCG.
accelerator() {
    if [ -w /dev/kvm ] && grep -qwE 'vmx|svm' /proc/cpuinfo; then echo kvm; else echo tcg; fi
}

# boot SHARE CONTROL SECONDS: starts the machine; SHARE is /share in it. The command is CONTROL/cmd, its status comes as
# CONTROL/rc, the kernel's messages as CONTROL/console.log. Returns the command's status, or 125 where there is none.
boot_lab() {
    local share=$1 control=$2 seconds=$3 accel cpu
    accel=$(accelerator)
    cpu=host
    [ "$accel" = kvm ] || cpu=max,la57=off
    rm -f "$control/rc"
    timeout --foreground "$seconds" qemu-system-x86_64 \
        -M "q35,accel=$accel,usb=off,smm=off" -cpu "$cpu" -smp 2 -m 1024 \
        -nodefaults -no-user-config -nographic -no-reboot \
        -kernel "$lab/vmlinux" -initrd "$lab/initrd.img" \
        -append "console=ttyS0 quiet panic=-1 mitigations=off cryptomgr.notests=1" \
        -drive "file=$lab/root.squashfs,format=raw,if=virtio,readonly=on" \
        -virtfs "local,path=$control,mount_tag=ctl,security_model=none" \
        -virtfs "local,path=$share,mount_tag=share,security_model=none" \
        -device virtio-rng-pci \
        -chardev "file,id=con,path=$control/console.log" -serial chardev:con \
        -device virtio-serial-pci -chardev stdio,id=out,signal=off -device virtconsole,chardev=out || true
    [ -s "$control/rc" ] || return 125
    return "$(<"$control/rc")"
}
