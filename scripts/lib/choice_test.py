"""Run by scripts/test-card: the choice between a card's two systems (counterbox-boot), cut off at every byte of its writing."""

import concurrent.futures
import os
import subprocess
import sys
import tempfile

SCRIPT = "packaging/image/counterbox-boot"
SECTOR = 512
COPIES = (2048 * SECTOR, 4096 * SECTOR)

# What is written in the life of a card, one after the other, and what is asked of it.
LIFE = ["set-state A good", "set-state B bad", "set-primary B", "set-state B good", "set-state A bad", "set-primary A"]


def ask(disk, words):
    done = subprocess.run([SCRIPT, *words.split()], env={**os.environ, "COUNTERBOX_DISK": disk}, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def state(disk):
    return ask(disk, "show")


def sectors(disk):
    with open(disk, "rb") as file:
        return [read_at(file, place) for place in COPIES]


def read_at(file, place):
    file.seek(place)
    return file.read(SECTOR)


def write(disk, copies):
    with open(disk, "r+b") as file:
        for place, data in zip(COPIES, copies):
            file.seek(place)
            file.write(data)


def tears(old, new):
    """Pairs of copies that a cut can leave: the first is on the disk before the second is begun. A sector is torn at any byte; its rest
    is what was there before, nothing, or, at some bytes, what is no one's."""
    for copy in (0, 1):
        for byte in range(SECTOR + 1):
            rests = [old[copy][byte:], b"\0" * (SECTOR - byte)]
            if byte % 16 == 1:
                rests.append(b"\xff" * (SECTOR - byte))
            for rest in rests:
                torn = new[copy][:byte] + rest
                yield (torn, old[1]) if copy == 0 else (new[0], torn)


def judge(folder, number, torn, allowed):
    disk = f"{folder}/torn-{number}"
    with open(disk, "wb") as file:
        file.truncate(COPIES[1] + SECTOR)
    write(disk, torn)
    found = state(disk)
    os.unlink(disk)
    return found in allowed


def main():
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        disk = f"{folder}/disk"
        with open(disk, "wb") as file:
            file.truncate(COPIES[1] + SECTOR)
        expect(state(disk) == "A B, A 3, B 3", "a card that was never started has two systems with three tries")
        total = 0
        for words in LIFE:
            old, before = sectors(disk), state(disk)
            ask(disk, words)
            new, after = sectors(disk), state(disk)
            # The same bytes are asked about once.
            cuts = set(tears(old, new))
            fine = list(pool.map(lambda cut: judge(folder, *cut), ((n, torn, (before, after)) for n, torn in enumerate(cuts))))
            expect(all(fine), f"{words}, cut off: {fine.count(False)} cuts leave neither the old choice nor the new")
            total += len(cuts)
        print(f"ok      the choice of the system, cut off in {total} ways: always the old one or the new", flush=True)


def expect(is_so, words):
    if not is_so:
        print(f"FAILED  {words}", flush=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
