# Sourced by scripts/try-boot, try-image and try-update, after image.sh: what a box under QEMU needs.

u_boot=/usr/lib/u-boot/qemu_arm64/u-boot.bin

need_u_boot() { [ -r "$u_boot" ] || fail "this is missing here: apt-get install u-boot-qemu"; }

# The settings of the box under trial, as its setup file, and its key.
write_trial_setup() {
    local key
    key=$(head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n')
    (umask 077 && echo "$key" >"$work/box.key")
    cat >"$work/counterbox-setup.json5" <<S
{ key: "$key", timeZone: "Asia/Shanghai", settings: { box: "tried", push: { address: "0.0.0.0:7788", allowPlaintext: true } } }
S
}

# QEMU's device tree with the boards' own word to U-Boot in it. U-Boot's usual way to our script is another one here.
make_trial_tree() {
    local tree=$work/tree.dtb
    qemu-system-aarch64 -M "virt,dumpdtb=$work/virt.dtb" -cpu cortex-a53 -smp 2 -m 1024 -nodefaults -display none \
        -bios "$u_boot" >/dev/null 2>&1
    dtc -q -@ -I dts -O dtb -o "$work/boot.dtbo" board/rpi-zero-2w/overlays/counterbox-boot.dts
    fdtoverlay -i "$work/virt.dtb" -o "$tree" "$work/boot.dtbo"
    fdtput -t s "$tree" /config bootcmd "run distro_bootcmd; reset"
}
