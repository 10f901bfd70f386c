"""Run by scripts/test-card: which update is taken from the boot partition, when it is done, and how often it is tried (counterbox-update)."""

import os
import shutil
import subprocess
import sys
import tempfile

IMAGE = os.path.abspath("packaging/image")

# RAUC as the script calls it: a file says what it is, and what becomes of it.
RAUC = """#!/bin/sh
case $1 in
    info)
        read -r is_for rest <"$3"
        [ "$is_for" != stranger ] || { echo "signature verification failed" >&2; exit 1; }
        echo "RAUC_MF_COMPATIBLE='counterbox-$is_for'" ;;
    install)
        read -r is_for rest <"$2"
        if [ "$(cat current)" = A ]; then other=B; else other=A; fi
        counterbox-boot set-state $other bad
        case $rest in
            unwritable*) exit 1 ;;
            cut*) [ -e whole ] || { kill -9 $PPID; exit 1; } ;;
        esac
        echo "${2##*/}" >>installed
        counterbox-boot set-primary $other ;;
esac
"""
BOOT = """#!/bin/sh
case $1 in get-current) cat current ;; *) exec "$IMAGE/counterbox-boot" "$@" ;; esac
"""
SYSTEMCTL = """#!/bin/sh
case $* in
    "-q is-active counterbox-trial.service") [ ! -e bad ] ;;
    is-system-running) [ -e stopping ] && echo stopping || echo running ;;
esac
"""
STAT = """#!/bin/sh
echo ext2/ext3
"""
BLKID = """#!/bin/sh
[ ! -e empty ]
"""


class Box:
    """A card in a folder, its systems started as U-Boot would."""

    def __init__(self, folder):
        self.folder = folder
        os.mkdir(f"{folder}/firmware")
        os.mkdir(f"{folder}/data")
        with open(f"{folder}/disk", "wb") as file:
            file.truncate(8192 * 512)
        programs = {"rauc": RAUC, "counterbox-boot": BOOT, "systemctl": SYSTEMCTL, "stat": STAT, "blkid": BLKID}
        for name, text in programs.items():
            self.write(name, text)
            os.chmod(f"{folder}/{name}", 0o755)
        shutil.copy(f"{IMAGE}/counterbox-notice", folder)
        shutil.copy(f"{IMAGE}/rauc.conf", folder)
        self.write("rauc.conf", open(f"{folder}/rauc.conf").read().replace("@BOARD@", "x"))
        self.environment = {
            "PATH": f"{folder}:{os.environ['PATH']}", "IMAGE": IMAGE, "COUNTERBOX_DISK": f"{folder}/disk", "COUNTERBOX_TOOLS": folder,
            "COUNTERBOX_FIRMWARE": f"{folder}/firmware", "COUNTERBOX_DATA": f"{folder}/data", "COUNTERBOX_RAUC": f"{folder}/rauc.conf",
        }
        self.write("current", "A\n")
        self.boot("set-state", "A", "good")

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(text)

    def boot(self, *words):
        return self.run(f"{self.folder}/counterbox-boot", *words).stdout.strip()

    def run(self, *words):
        return subprocess.run(words, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)

    def put(self, name, text):
        self.write(f"firmware/counterbox-{name}.raucb", text)

    def remove(self, name):
        os.unlink(f"{self.folder}/firmware/counterbox-{name}.raucb")

    def start(self, comes_up="AB"):
        """The start of the system that has its turn; where it does not come up, of the other one in the end. Then the update's script."""
        system = self.boot("get-primary")
        if system not in comes_up:
            # As U-Boot counts: three tries in vain, then the other one comes up and is marked good.
            self.boot("set-state", system, "bad")
            system = "B" if system == "A" else "A"
        self.write("current", system + "\n")
        self.boot("set-state", system, "good")
        return self.update()

    def update(self):
        """What was installed by it, and its status."""
        if os.path.exists(f"{self.folder}/installed"):
            os.unlink(f"{self.folder}/installed")
        self.last = self.run(f"{IMAGE}/counterbox-update")
        installed = open(f"{self.folder}/installed").read().split() if os.path.exists(f"{self.folder}/installed") else []
        return [name[len("counterbox-"):-len(".raucb")] for name in installed], self.last.returncode

    @property
    def system(self):
        return open(f"{self.folder}/current").read().strip()

    @property
    def notices(self):
        path = f"{self.folder}/data/notices"
        return open(path).read() if os.path.exists(path) else ""


def done_once(box):
    box.put("1", "x good")
    yield box.start(), (["1"], 0)
    yield box.start() + (box.system,), ([], 0, "B")
    yield "counterbox-1.raucb is done: the box came up in system B" in box.notices, True
    yield box.start() + (box.system,), ([], 0, "B")


def newest(box):
    box.put("0.9.0", "x a")
    box.put("0.10.0", "x b")
    yield box.start(), (["0.10.0"], 0)
    yield box.start(), ([], 0)
    yield box.start(), ([], 0)


def refused(box):
    box.put("1", "x good")
    box.put("9", "stranger")
    box.put("8", "y other board")
    yield box.start(), (["1"], 1)
    yield "counterbox-9.raucb was not taken: it is not signed" in box.notices, True
    yield "counterbox-8.raucb was not taken: it is for counterbox-y, and this is counterbox-x" in box.notices, True
    yield box.start(), ([], 0)


def interrupted(box):
    box.put("1", "x good")
    yield box.start(), (["1"], 0)
    yield box.start(comes_up="A") + (box.system,), (["1"], 0, "A")
    yield "did not come up in system B, and the box fell back to system A; it is tried once more" in box.notices, True
    yield box.start() + (box.system,), ([], 0, "B")
    yield "is done" in box.notices, True


def broken(box):
    box.put("1", "x broken")
    yield box.start(), (["1"], 0)
    yield box.start(comes_up="A"), (["1"], 0)
    yield box.start(comes_up="A"), ([], 0)
    yield "it is left until" in box.notices, True
    yield box.start(comes_up="A"), ([], 0)
    os.rename(f"{box.folder}/firmware/counterbox-1.raucb", f"{box.folder}/firmware/counterbox-1b.raucb")
    yield box.start(comes_up="A"), (["1b"], 0)


def cut(box):
    box.put("1", "x cut")
    for _ in range(4):
        yield box.start()[0] + [box.system], ["A"]
    box.write("whole", "")
    yield box.start(), (["1"], 0)
    yield box.start() + (box.system,), ([], 0, "B")


def cut_after_the_switch(box):
    box.put("1", "x good")
    box.start()
    note = open(f"{box.folder}/data/update").read()
    box.write("data/update", note.replace("installed", "begun"))
    yield box.start() + (box.system,), ([], 0, "B")
    yield "is done" in box.notices, True


def unwritable(box):
    box.put("1", "x unwritable")
    box.write("stopping", "")
    yield [box.start() for _ in range(3)], [([], 1)] * 3
    os.unlink(f"{box.folder}/stopping")
    yield [box.start() for _ in range(3)], [([], 1), ([], 1), ([], 0)]


def waits(box):
    box.put("1", "x good")
    box.start()
    yield [box.update() for _ in range(2)], [([], 0)] * 2


def replaced(box):
    box.put("1", "x good")
    box.start()
    box.start()
    box.put("2", "x good")
    yield box.start(), (["2"], 0)
    yield box.start() + (box.system,), ([], 0, "A")
    box.put("3", "x broken")
    yield box.start(), (["3"], 0)
    box.remove("2")
    box.remove("3")
    yield box.start(comes_up="A") + (box.system,), ([], 0, "A")


def crash_looping(box):
    box.put("1", "x good")
    box.write("bad", "")
    yield box.update(), ([], 0)
    box.write("empty", "")
    yield box.update(), (["1"], 0)
    # Started in it, and the box does not come up there either: not done.
    box.write("current", "B\n")
    yield box.update(), ([], 0)
    yield "is done" in box.notices, False


def bounded(box):
    for n in range(14):
        box.run(f"{box.folder}/counterbox-notice", "x" * 1000)
    yield len(box.notices) <= 4096 and len(box.notices.splitlines()) == 12, True
    for n in range(12):
        box.put(str(n), "stranger")
        box.update()
    yield len(open(f"{box.folder}/data/update").read().splitlines()) <= 10, True


CASES = [
    (done_once, "an update is done once its system came up, and is not taken twice"),
    (newest, "of two, the newest is taken, and the other one never"),
    (refused, "what is refused says why, fails once, and the one before it is taken"),
    (interrupted, "an update whose first three starts were interrupted is tried once more, and is done"),
    (broken, "one that never comes up is written twice, and again under another name"),
    (cut, "cut off while it is written it begins again, however often"),
    (cut_after_the_switch, "cut off after the switch it is not written over the system before"),
    (unwritable, "one that cannot be written is tried twice; where the machine stops that does not count"),
    (waits, "one that waits for the next start is not written again"),
    (replaced, "what was written over by a newer update does not come back"),
    (crash_looping, "where the box does not come up, no system that may be good is written over"),
    (bounded, "notes and notices stay small"),
]


def main():
    for case, words in CASES:
        with tempfile.TemporaryDirectory() as folder:
            box = Box(folder)
            for got, wanted in case(box):
                if got != wanted:
                    print(f"FAILED  {words}: {got!r}, not {wanted!r}\n{box.notices}\n{box.last.stdout}{box.last.stderr}", flush=True)
                    sys.exit(1)
            print(f"ok      {words}", flush=True)


if __name__ == "__main__":
    main()
