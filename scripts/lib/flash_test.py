"""Run by scripts/test-card (file) and scripts/try-flash (loop): scripts/flash as a person at a terminal has it."""

import hashlib
import lzma
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20
IMAGE = 9 * MIB
ROOM = 16 * MIB


def flash(*words, answer=None, terminal=True):
    """What it says, and its exit status. `answer` is typed where it asks."""
    if not terminal:
        done = subprocess.run(["scripts/flash", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr, done.returncode
    pid, port = pty.fork()
    if pid == 0:
        os.execv("scripts/flash", ["scripts/flash", *words])
    said, end, typed = b"", time.time() + 120, False
    while time.time() < end:
        if not select.select([port], [], [], 1)[0]:
            continue
        try:
            data = os.read(port, 65536)
        except OSError:
            break
        if not data:
            break
        said += data
        if answer and not typed and b"Type its name to go on: " in said:
            os.write(port, answer.encode() + b"\n")
            typed = True
    os.close(port)
    return said.decode(errors="replace"), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def digest(path, length):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read(length)).hexdigest()


def passed(words):
    print(f"ok      {words}", flush=True)


def expect(is_so, words, said=""):
    if not is_so:
        print(f"FAILED  {words}\n{said}", flush=True)
        sys.exit(1)


def is_refused(words, because, *arguments, **options):
    said, status = flash(*arguments, **options)
    expect(status != 0 and because in said, words, said)
    passed(words)


def is_written(words, image, device, *options, whole, name=None):
    said, status = flash(*options, image, device, answer=name or device)
    expect(status == 0 and "read back and compared" in said, words, said)
    # dd tells how far it is, while writing and while reading back.
    expect(len(re.findall(r"bytes .*copied", said)) >= 2, f"{words}, with its progress", said)
    expect(digest(device, IMAGE) == whole, f"{words}, byte for byte", said)
    passed(f"{words}, asked for, with progress, read back")


def make_image(folder):
    image = f"{folder}/card.img"
    with open(image, "wb") as file:
        file.write(os.urandom(IMAGE))
    with open(f"{image}.xz", "wb") as file, open(image, "rb") as plain:
        file.write(lzma.compress(plain.read(), preset=0))
    return image


def on_a_file(folder):
    image, card = make_image(folder), f"{folder}/card"
    with open(card, "wb") as file:
        file.truncate(ROOM)
    empty = digest(card, ROOM)
    is_refused("another name than the card's: nothing is written", "nothing was written", "--file", image, card, answer="yes")
    is_refused("nobody to ask: nothing is written", "nobody is here", "--file", image, card, terminal=False)
    expect(digest(card, ROOM) == empty, "nothing was written")
    is_written("an image is written", image, card, "--file", whole=digest(image, IMAGE))
    with open(card, "r+b") as file:
        file.write(b"\0" * ROOM)
    is_written("a packed image is written", f"{image}.xz", card, "--file", whole=digest(image, IMAGE))
    with open(card, "r+b") as file:
        file.write(b"\0" * ROOM)
    words = [os.path.abspath("scripts/flash"), "--yes", "--file", "card.img", "card"]
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    is_same = done.returncode == 0 and digest(card, IMAGE) == digest(image, IMAGE)
    expect(is_same, "names are from the folder that flash is called in", done.stderr)
    passed("names are from the folder that flash is called in")
    with open(card, "r+b") as file:
        file.truncate(IMAGE - 1)
    is_refused("a card that is too small is refused", "holds", "--yes", "--file", image, card)
    with open(image, "wb"):
        pass
    is_refused("an empty image is refused", "empty or damaged", "--yes", "--file", image, card)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class Loop:
    """A disk of `size` bytes whose content is a file."""

    def __init__(self, folder, name, size, *options):
        self.file = f"{folder}/{name}"
        with open(self.file, "wb") as file:
            file.truncate(size)
        self.device = run("losetup", "--show", "-f", *options, self.file)

    def __enter__(self):
        return self.device

    def __exit__(self, *_):
        subprocess.run(["losetup", "-d", self.device], check=False)


def on_loops(folder):
    image = make_image(folder)
    whole = digest(image, IMAGE)
    with Loop(folder, "card", ROOM) as device:
        is_refused("another name than the disk's: nothing is written", "nothing was written", image, device, answer="y")
        is_written("an image is written onto a disk", image, device, whole=whole)
        is_written("a packed one", f"{image}.xz", device, whole=whole, name=os.path.basename(device))
    with Loop(folder, "small", IMAGE - 512) as device:
        is_refused("a disk that is too small is refused", "holds", "--yes", image, device)
    with Loop(folder, "sealed", ROOM, "-r") as device:
        is_refused("a write-protected disk is refused", "write-protected", "--yes", image, device)
    with Loop(folder, "mounted", ROOM) as device:
        run("mkfs.ext4", "-q", device)
        os.mkdir(f"{folder}/place")
        run("mount", device, f"{folder}/place")
        try:
            is_refused("a mounted disk is refused", "is mounted at", "--yes", image, device)
        finally:
            run("umount", f"{folder}/place")
    on_parts(folder, image)
    on_swap(folder, image)
    on_the_system(folder, image)


def on_parts(folder, image):
    with Loop(folder, "parts", 2 * ROOM, "-P") as device:
        subprocess.run(["sfdisk", "-q", device], input="label: dos\nsize=16MiB\n", text=True, check=True)
        subprocess.run(["blockdev", "--rereadpt", device], check=False)
        part = f"{device}p1"
        if not os.path.exists(part):
            print(f"skipped a part of a disk: this system makes no {part}", flush=True)
            return
        is_refused("a part of a disk is refused", "name the whole disk", "--yes", image, part)


def on_swap(folder, image):
    with Loop(folder, "swap", ROOM) as device:
        run("mkswap", device)
        if subprocess.run(["swapon", device], check=False, capture_output=True).returncode != 0:
            print("skipped a disk in use as swap: this system takes none", flush=True)
            return
        try:
            is_refused("a disk in use as swap is refused", "never", "--yes", image, device)
        finally:
            run("swapoff", device)


def on_the_system(folder, image):
    """The real one: it has to be refused before anything else, by a look alone."""
    source = run("findmnt", "-no", "SOURCE", "/").split("[")[0]
    if not source.startswith("/dev/"):
        print(f"skipped this system's own disk: it is on {source}", flush=True)
        return
    name = run("lsblk", "-srno", "NAME", source).split("\n")[-1]
    said, status = flash(image, f"/dev/{name}", terminal=False)
    expect(status != 0 and "this system runs from: never" in said, "the disk that this system runs from is refused", said)
    passed("the disk that this system runs from is refused")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        {"file": on_a_file, "loop": on_loops}[sys.argv[1]](place)
