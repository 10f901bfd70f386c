"""Run by scripts/try-image: what is expected of an image's first start, in order."""

import argparse
import signal
import subprocess
import sys
import time

from virt_box import MIB, Machine, expect, passed


def first_start(args):
    machine = Machine(args, f"{args.work}/card.img")
    try:
        # Noise on the line: with the boards' own settings it does not stop U-Boot.
        expect(machine.system(nudge=b"x") == "A", "U-Boot chooses system A, whatever comes over the serial port")
        passed("U-Boot chooses system A, whatever comes over the serial port")
        machine.answers("the console answers on the serial port")
        passed(f"the console answers on the serial port, {time.time() - machine.began:.0f} s after power on")
        there = machine.wait_for(lambda: "image counterbox-qemu-virt" in machine.heard, 300, nudge=b"\rlog 100\r", every=30)
        expect(there, "the box's log says which image and system run")
        passed("the box's log says which image and system run")
        result = subprocess.run(
            [args.push, "push", "--to", f"tcp://127.0.0.1:{machine.port}", "--key", f"{args.work}/box.key", "--timeout", "120",
             '{"kind":"payment","amount":"12.50","channel":"wechat"}'], capture_output=True, text=True, check=False)
        said = (result.stdout + result.stderr).strip()
        expect('"state":"done"' in result.stdout.replace(" ", ""), f"a push over TCP comes to its end: {said}")
        passed(f"a push over TCP comes to its end: {said}")
        machine.is_well("the box is active, and nothing failed")
        passed("the box is active, the system marked good, nothing failed")
        expect(machine.power_off(), "the box powers off")
        passed("the box powers off")
    finally:
        machine.close()
    check_card(args)


def check_card(args):
    """The setup file is gone, its key is nowhere on the boot partition, and the data partition was left in order."""
    card = f"{args.work}/card.img"
    there = subprocess.run(["mdir", "-b", "-i", f"{card}@@4M", "::counterbox-setup.json5"], capture_output=True, check=False)
    expect(there.returncode != 0, "the setup file is gone")
    with open(card, "rb") as file, open(f"{args.work}/box.key") as key:
        file.seek(4 * MIB)
        expect(key.read().strip().encode() not in file.read(args.boot_size * MIB), "the key is wiped from the boot partition")
    passed("the setup file is taken in and wiped")
    checked = subprocess.run(["e2fsck", "-fn", f"{card}?offset={args.data_at * MIB}"], capture_output=True, text=True, check=False)
    expect(checked.returncode == 0, f"the data partition is in order: {checked.stdout}{checked.stderr}")
    passed("the data partition was left in order")


def main():
    parser = argparse.ArgumentParser()
    for name in ("work", "firmware", "tree", "log", "push"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("boot-size", "data-at"):
        parser.add_argument(f"--{name}", type=int, required=True)
    args = parser.parse_args()
    open(args.log, "wb").close()
    # QEMU ends with us.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    first_start(args)


if __name__ == "__main__":
    main()
