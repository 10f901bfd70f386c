"""What a card has on it after any write of an update: QEMU's log of its writes, and what must hold after each of them."""

import struct
import zlib

SECTOR = 512
FLUSH, FUA, DISCARD = 1, 2, 4
MAGIC = 0x6A736677736872
COPIES = (2048, 4096)


class Write:
    """`data_at` is where the log has its bytes; None: nothing is written, what came before is to be kept (a flush)."""

    def __init__(self, sector, sectors, flags, data_at):
        self.sector, self.sectors, self.flags, self.data_at = sector, sectors, flags, data_at


def read_log(path):
    """All writes, in order. The log is that of Linux' dm-log-writes, with sectors of 512 bytes."""
    writes = []
    with open(path, "rb") as log:
        magic, version, _, sector_size = struct.unpack("<QQQL", log.read(28))
        assert (magic, version, sector_size) == (MAGIC, 1, SECTOR), "no log of writes"
        at = log.seek(0, 2)
        end, at = at, SECTOR
        while at + 32 <= end:
            log.seek(at)
            sector, sectors, flags, _ = struct.unpack("<QQQQ", log.read(32))
            at += SECTOR
            if flags & DISCARD:
                writes.append(Write(sector, sectors, flags, None))
                continue
            if not sectors and not flags:
                break
            writes.append(Write(sector, sectors, flags, at if sectors else None))
            at += sectors * SECTOR
    return writes


def replay(log_path, writes, card, torn=None):
    """`writes` onto the file `card`; of the last one only `torn` bytes, where that is said."""
    with open(log_path, "rb") as log, open(card, "r+b") as file:
        for write in writes:
            if write.data_at is None:
                continue
            length = write.sectors * SECTOR
            if torn is not None and write is writes[-1]:
                length = torn
            log.seek(write.data_at)
            file.seek(write.sector * SECTOR)
            file.write(log.read(length))


class Choice:
    """The two sectors that say which system starts, read apart from the box's own way of reading them."""

    def __init__(self, card):
        self.copies = []
        with open(card, "rb") as file:
            for sector in COPIES:
                file.seek(sector * SECTOR)
                self.copies.append(file.read(SECTOR))

    def put(self, copy, data):
        self.copies[copy] = data + self.copies[copy][len(data):]

    def torn(self, copy, data):
        """The systems that start when the writing of `data` ends at any of its bytes."""
        old = self.copies[copy]
        chosen = set()
        for byte in range(SECTOR + 1):
            self.copies[copy] = data[:byte] + old[byte:]
            chosen.add(self.system())
            # A sector may also be nothing at all then.
            self.copies[copy] = data[:byte] + b"\xff" * (SECTOR - byte)
            chosen.add(self.system())
        self.copies[copy] = old
        return chosen

    def system(self):
        """A, B, or what is none: empty."""
        for copy in self.copies:
            if zlib.crc32(copy[4:]) != struct.unpack("<L", copy[:4])[0]:
                continue
            values = dict(line.split("=", 1) for line in copy[4:].split(b"\0\0", 1)[0].decode().split("\0"))
            order = values["BOOT_ORDER"].split()
            left = [system for system in order if values[f"BOOT_{system}_LEFT"] != "0"]
            return (left or order or [""])[0]
        return "A"


class Judgement:
    """Walks through an update that is written over the partition `target` of the system B while A runs, write by write."""

    def __init__(self, card, log_path, writes, target, forbidden):
        self.choice = Choice(card)
        self.log_path, self.writes, self.target, self.forbidden = log_path, writes, target, forbidden
        self.faults, self.chosen, self.tears = [], {"A": 0, "B": 0}, 0
        self.target_writes = [n for n, write in enumerate(writes) if self.is_in(write, target)]
        self.switch = None

    @staticmethod
    def is_in(write, area):
        return write.data_at is not None and write.sector < area[1] and write.sector + write.sectors > area[0]

    def walk(self):
        kept = True
        with open(self.log_path, "rb") as log:
            for number, write in enumerate(self.writes):
                self.check_place(number, write)
                if write.flags & FLUSH:
                    kept = True
                if self.is_in(write, self.target):
                    kept = kept and bool(write.flags & FUA)
                for copy, sector in enumerate(COPIES):
                    if self.is_in(write, (sector, sector + 1)):
                        log.seek(write.data_at + (sector - write.sector) * SECTOR)
                        self.change(number, copy, log.read(SECTOR), kept)
                system = self.choice.system()
                self.chosen[system] = self.chosen.get(system, 0) + 1

    def check_place(self, number, write):
        """Before an update begins the box takes in its setup file, from the boot partition."""
        if number < self.target_writes[0]:
            return
        for name, area in self.forbidden.items():
            if self.is_in(write, area):
                self.faults.append(f"write {number} is on {name}")

    def change(self, number, copy, data, kept):
        """A copy of the choice is written: whatever part of it arrives, a whole system is chosen."""
        is_whole = number > self.target_writes[-1] and kept
        chosen = self.choice.torn(copy, data)
        self.tears += 2 * (SECTOR + 1)
        if not chosen <= ({"A", "B"} if is_whole else {"A"}):
            self.faults.append(f"write {number}, torn, chooses {sorted(chosen)}, where B is {'' if is_whole else 'not '}whole")
        before = self.choice.system()
        self.choice.put(copy, data)
        if before == "A" and self.choice.system() == "B":
            self.switch = number
