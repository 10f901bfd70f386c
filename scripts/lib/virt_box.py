"""A box under QEMU, for scripts/try-image and scripts/try-update: its serial port, and what units in it say beside."""

import os
import select
import socket
import subprocess
import sys
import time

# Units for the machine under trial, given by QEMU as systemd's credentials, whose names may have 9 characters; what they say comes
# on a port beside the box's console. That of /tmp, which every start has, brings the others in.
TMP_UNIT = """[Unit]
Wants={wants}
[Mount]
What=tmpfs
Where=/tmp
Type=tmpfs
Options=size=32m,mode=1777,nosuid,nodev
"""
TELL_UNIT = """[Unit]
After=counterbox-trial.service
[Service]
Type=oneshot
RemainAfterExit=yes
StandardOutput=tty
TTYPath=/dev/hvc0
ExecStart=/bin/sh -c 'failed=$$(systemctl --failed --plain --no-legend | cut -d" " -f1 | tr "\\n" " "); \
for unit in $$failed; do journalctl -b -o cat -n 20 -u $$unit; done; \
echo "tells: box $$(systemctl is-active counterbox), trial $$(systemctl is-active counterbox-trial), failed: $$failed."; \
read word </dev/hvc0; systemctl --no-block $$word'
"""
LOG_UNIT = """[Service]
StandardOutput=tty
TTYPath=/dev/hvc0
ExecStart=/usr/bin/journalctl -b -f -n all -o cat -u counterbox-update -u counterbox-trial -u rauc
"""

# A start without KVM on a busy machine.
START = 1800
MIB = 1 << 20


class Machine:
    """`card` is its disk; every write of it is logged into the file `writes`, where one is named."""

    def __init__(self, args, card, writes=None):
        self.log = open(args.log, "ab")
        self.heard = self.told = ""
        self.port = free_port()
        self.began = time.time()
        listening = [listen(f"{args.work}/{name}") for name in ("serial", "told")]
        command = [
            "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-smp", "2", "-m", "1024", "-bios", args.firmware,
            "-nodefaults", "-display", "none", *disk(card, writes), "-device", "virtio-blk-pci,drive=card",
            "-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:7788",
            "-device", "virtio-net-pci,netdev=net",
            "-chardev", f"socket,id=serial,path={args.work}/serial", "-serial", "chardev:serial",
            "-chardev", f"socket,id=told,path={args.work}/told",
            "-device", "virtio-serial-pci", "-device", "virtconsole,chardev=told",
        ]
        if args.tree:
            command += ["-dtb", args.tree]
        units = {"t.service": TELL_UNIT, "l.service": LOG_UNIT}
        units["tmp.mount"] = TMP_UNIT.format(wants=" ".join(units))
        for name, text in units.items():
            path = f"{args.work}/{name}"
            with open(path, "w") as file:
                file.write(text)
            command += ["-fw_cfg", f"name=opt/io.systemd.credentials/systemd.extra-unit.{name},file={path}"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self.serial, self.units = [one.accept()[0] for one in listening]

    def read(self):
        for port in select.select([self.serial, self.units], [], [], 1)[0]:
            data = port.recv(65536)
            self.log.write(data)
            self.log.flush()
            text = data.decode(errors="replace").replace("\r", "")
            if port is self.serial:
                self.heard += text
            else:
                self.told += text

    def wait_for(self, is_there, seconds, nudge=None, every=5):
        """Until `is_there`; `nudge` is typed on the serial port every few seconds meanwhile."""
        end, typed = time.time() + seconds, 0
        while not is_there():
            if time.time() > end or self.process.poll() is not None:
                return False
            if nudge and time.time() - typed > every:
                self.serial.send(nudge)
                typed = time.time()
            self.read()
        return True

    def system(self, seconds=120, nudge=None):
        """Which system U-Boot starts now, A or B."""
        word = "counterbox: system "
        there = self.wait_for(
            lambda: word in self.heard and "\n" in self.heard.split(word, 1)[1], seconds, nudge=nudge, every=3)
        expect(there, "U-Boot chooses a system")
        self.heard = self.heard.split(word, 1)[1]
        return self.heard[0]

    def answers(self, words):
        # Nothing is typed before: more than a few bytes waiting for it stop QEMU's serial port for ever.
        there = self.wait_for(lambda: "counterbox> " in self.heard, START)
        expect(there, f"{words}: there is a prompt")
        there = self.wait_for(lambda: "box       tried, counterbox" in self.heard, START, nudge=b"\rstatus\r")
        expect(there, f"{words} ({time.time() - self.began:.0f} s after power on)")
        self.heard = self.heard[-2000:]

    def tells(self, word, words, seconds=START):
        """The rest of the first line that holds `word`, among what units say since the machine's last start."""
        there = self.wait_for(lambda: word in self.told and "\n" in self.told.split(word, 1)[1], seconds)
        expect(there, words)
        return self.told.split(word, 1)[1].split("\n", 1)[0].strip()

    def is_well(self, words):
        line = self.tells("tells: ", "the units tell how they are")
        expect(line == "box active, trial active, failed: .", f"{words}: {line}")

    def reboot(self):
        """As `systemctl reboot` does."""
        self.told = self.heard = ""
        self.units.send(b"reboot\n")

    def power_off(self):
        """As `systemctl poweroff` does; whether the machine then is off."""
        self.units.send(b"poweroff\n")
        is_off = self.wait_for(lambda: False, 120) or self.process.poll() == 0
        self.close()
        return is_off

    def close(self):
        """The plug is pulled, where it is not off yet."""
        self.process.kill()
        self.process.wait()
        for end in (self.serial, self.units, self.log):
            end.close()


def disk(card, writes):
    """As a card is: what the box has not asked to be kept may be lost (cache=writeback is QEMU's own)."""
    if not writes:
        return ["-drive", f"if=none,id=card,format=raw,file={card}"]
    return [
        "-blockdev", f"driver=file,node-name=file,filename={card}", "-blockdev", f"driver=file,node-name=log,filename={writes}",
        "-blockdev", "driver=blklogwrites,node-name=card,file=file,log=log,log-sector-size=512",
    ]


def listen(path):
    if os.path.exists(path):
        os.unlink(path)
    port = socket.socket(socket.AF_UNIX)
    port.bind(path)
    port.listen(1)
    port.settimeout(60)
    return port


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def expect(is_so, words):
    if not is_so:
        print(f"FAILED  {words}", flush=True)
        sys.exit(1)


def passed(words):
    print(f"ok      {words}", flush=True)
