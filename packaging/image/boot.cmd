# U-Boot: starts one of the two systems. Variables @…@ are filled in by scripts/image.
#
# BOOT_ORDER is the systems that may start, the wanted one first; BOOT_A_LEFT and BOOT_B_LEFT are how often each may still be tried.
# A system that came up sets its number back; one that does not is tried until none is left, and then the other one starts. The
# state is a sector with a checksum, twice: the first copy that is whole counts, and the first is written before the second. Cut
# off while it is written, it is the old one or the new. With neither whole, as on a new card: A, then B, three tries each.

setenv BOOT_ORDER "A B"
setenv BOOT_A_LEFT 3
setenv BOOT_B_LEFT 3
setenv state_copies "800 1000"

@ADDRESSES@

${devtype} dev ${devnum}
setenv found
for block in ${state_copies}; do
    if test -z "${found}"; then
        if ${devtype} read ${kernel_addr} ${block} 1; then
            if env import -c ${kernel_addr} 0x200 BOOT_ORDER BOOT_A_LEFT BOOT_B_LEFT; then
                setenv found yes
            fi
        fi
    fi
done

setenv chosen
for system in ${BOOT_ORDER}; do
    if test -z "${chosen}"; then
        if test "${system}" = A; then
            if test ${BOOT_A_LEFT} -gt 0; then
                setexpr BOOT_A_LEFT ${BOOT_A_LEFT} - 1
                setenv chosen A
                setenv part 2
            fi
        else
            if test ${BOOT_B_LEFT} -gt 0; then
                setexpr BOOT_B_LEFT ${BOOT_B_LEFT} - 1
                setenv chosen B
                setenv part 3
            fi
        fi
    fi
done

if test -z "${chosen}"; then
    echo "counterbox: no system came up; what may start is tried again"
    setenv BOOT_A_LEFT 3
    setenv BOOT_B_LEFT 3
fi
env export -c -s 0x200 ${kernel_addr} BOOT_ORDER BOOT_A_LEFT BOOT_B_LEFT
for block in ${state_copies}; do
    ${devtype} write ${kernel_addr} ${block} 1
done
if test -z "${chosen}"; then
    sleep 10
    reset
fi

echo "counterbox: system ${chosen}"
# The device tree that U-Boot itself was started with: its own copy, which nothing loaded here runs over. Without this setting, which
# Raspberry Pis have, it is copied once more with room for what is said to the kernel.
setenv fdt_high
setenv bootargs "@CMDLINE@ root=PARTUUID=@DISK@-0${part} rauc.slot=${chosen}"
if load ${devtype} ${devnum}:${part} ${kernel_addr} /boot/kernel; then
    if load ${devtype} ${devnum}:${part} ${initrd_addr} /boot/initrd; then
        booti ${kernel_addr} ${initrd_addr}:${filesize} ${fdtcontroladdr}
    fi
fi
echo "counterbox: system ${chosen} cannot be started"
sleep 3
reset
