"""Run by scripts/try-update: updates of a box under QEMU, in order, and its plug pulled."""

import argparse
import hashlib
import os
import signal
import subprocess
import sys
import time

from card_writes import SECTOR, Judgement, read_log, replay
from virt_box import MIB, START, Machine, expect, passed

# The newest by its name: it has its turn first, and the update after it.
STRANGER = "counterbox-9-stranger.raucb"
UPDATE = "counterbox-1-update.raucb"
BROKEN = "counterbox-2-broken.raucb"


class Card:
    """The parts of the disk, in MiB."""

    def __init__(self, args):
        self.boot = (4, 4 + args.boot_size)
        self.a = (self.boot[1], self.boot[1] + args.system_size)
        self.b = (self.a[1], self.a[1] + args.system_size)

    @staticmethod
    def sectors(area):
        return tuple(mib * MIB // SECTOR for mib in area)


def copy(source, target):
    subprocess.run(["cp", "--sparse=always", source, target], check=True)


def put(args, card, name, file):
    subprocess.run(["mcopy", "-o", "-i", f"{card}@@4M", file, f"::{name}"], check=True)


def remove(card, name):
    subprocess.run(["mdel", "-i", f"{card}@@4M", f"::{name}"], check=True)


def whole_update(args):
    """The first start takes in an update from the boot partition, and the start after that is the new system's. Every write is logged."""
    machine = Machine(args, f"{args.work}/card.img", writes=args.writes)
    try:
        expect(machine.system() == "A", "system A starts")
        machine.tells(f"{STRANGER} was not taken", "an update signed with another key is refused", seconds=START)
        passed("an update that is signed with another key is refused")
        machine.tells(f"{UPDATE} begins", "the update begins")
        began = time.time()
        machine.tells(f"{UPDATE} is installed", "the update is installed", seconds=START)
        passed(f"an update is installed, in {time.time() - began:.0f} s, the box running")
        machine.reboot()
        expect(machine.system() == "B", "U-Boot chooses system B")
        machine.answers("the box answers in system B")
        machine.is_well("the box is active in system B")
        passed("the next start is system B; the box answers there, and it is marked good")
        machine.tells(f"{UPDATE} is done", "the update is done once its system is good")
        # What was taken is not taken again.
        expect(not machine.wait_for(lambda: f"{UPDATE} begins" in machine.told, 10), "the update is not taken again")
        expect(machine.power_off(), "the box powers off")
    finally:
        machine.close()


def judge(args, parts):
    """After every write of it, and with the choice torn at every byte, the old system or the new is whole and starts."""
    writes = read_log(args.writes)
    update = [n for n, write in enumerate(writes) if Judgement.is_in(write, parts.sectors(parts.b))]
    forbidden = {"system A": parts.sectors(parts.a), "the boot partition": parts.sectors(parts.boot), "the partition table": (0, 1)}
    judgement = Judgement(f"{args.work}/before.img", args.writes, writes, parts.sectors(parts.b), forbidden)
    judgement.walk()
    expect(not judgement.faults, f"each cut leaves a system that starts: {judgement.faults[:3]}")
    expect(judgement.switch and set(judgement.chosen) == {"A", "B"}, f"the update is switched to: {judgement.chosen}")
    copy(f"{args.work}/before.img", f"{args.work}/after.img")
    replay(args.writes, writes, f"{args.work}/after.img")
    with open(f"{args.work}/after.img", "rb") as file:
        file.seek(parts.b[0] * MIB)
        whole = hashlib.sha256(file.read(args.update_size)).hexdigest()
    expect(whole == args.update_sum, "system B is the update, byte for byte")
    passed(f"cut after any of {len(writes)} writes ({len(update)} of the update): {judgement.chosen['A']} times system A starts, "
           f"{judgement.chosen['B']} times B, which is whole and kept before it is chosen; no other")
    passed(f"the choice torn in {judgement.tears} ways, at each byte of each time it is written: the old system or the new, which is whole")
    return writes, judgement


def start_cuts(args, writes, judgement):
    """Some of those cards are given to U-Boot, around the switch, where it hangs on single bytes."""
    first, last, switch = judgement.target_writes[0], judgement.target_writes[-1], judgement.switch
    cuts = [
        ("with the update written and the choice not begun", switch - 1, None, "A"),
        ("at byte 30 of the choice's first copy", switch, 30, "A"),
        ("between the choice's two copies", switch, None, "B"),
        ("at byte 7 of the choice's second copy", next_copy(writes, switch), 7, "B"),
        ("in the middle of the update", (first + last) // 2, None, "A"),
    ]
    for words, number, torn, system in cuts:
        card = f"{args.work}/cut.img"
        copy(f"{args.work}/before.img", card)
        replay(args.writes, writes[:number + 1], card, torn)
        machine = Machine(args, card)
        try:
            chosen = machine.system()
            expect(chosen == system, f"cut {words}, U-Boot chooses system {system}: {chosen}")
            passed(f"cut {words}: U-Boot starts system {system}")
            if "middle" in words:
                machine.answers(f"cut {words}, the box answers")
                machine.tells(f"{UPDATE} begins", "the update begins anew")
                passed(f"cut {words}: the box answers in the old system, {time.time() - machine.began:.0f} s after power on, and begins anew")
        finally:
            machine.close()
            os.unlink(card)


def next_copy(writes, switch):
    return next(n for n in range(switch + 1, len(writes)) if writes[n].data_at is not None and writes[n].sector == 4096)


def failing_update(args):
    """A new system that does not come up is tried three times; then the one before it starts."""
    card = f"{args.work}/card.img"
    for name in (STRANGER, UPDATE):
        remove(card, name)
    put(args, card, BROKEN, args.broken)
    machine = Machine(args, card)
    try:
        expect(machine.system() == "B", "system B starts again")
        machine.answers("the box answers in system B")
        machine.tells(f"{BROKEN} is installed", "an update that does not come up is installed", seconds=START)
        machine.reboot()
        tries = "".join(machine.system(seconds=START) for _ in range(4))
        expect(tries == "AAAB", f"the new system is tried three times, then the old one starts: {tries}")
        machine.answers("the box answers in the old system")
        passed("a new system that does not come up is tried three times; then the old one starts, the box answers")
        # Nobody knows whether it was the plug: scripts/test-card has the rest of the rule.
        machine.tells(f"{BROKEN} did not come up", "that it did not come up is told")
        machine.tells(f"{BROKEN} begins", "it is written once more")
        passed("that it did not come up is told, and it is written once more")
    finally:
        machine.close()


def main():
    parser = argparse.ArgumentParser()
    for name in ("work", "firmware", "tree", "log", "writes", "broken", "update-sum"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("boot-size", "system-size", "update-size"):
        parser.add_argument(f"--{name}", type=int, required=True)
    args = parser.parse_args()
    open(args.log, "wb").close()
    # QEMU ends with us.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    # QEMU makes none.
    open(args.writes, "wb").close()
    parts = Card(args)
    copy(f"{args.work}/card.img", f"{args.work}/before.img")
    whole_update(args)
    writes, judgement = judge(args, parts)
    start_cuts(args, writes, judgement)
    failing_update(args)


if __name__ == "__main__":
    main()
