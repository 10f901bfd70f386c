"""Run by scripts/try-image: QEMU, its serial port, and what is expected of them, in order."""

import argparse
import os
import select
import signal
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
read word </dev/hvc0; systemctl --no-block poweroff'
"""

# A start without KVM on a busy machine.
START = 600
MIB = 1 << 20


class Machine:
    """The box under QEMU: its serial port, and what the units say, as text."""

    def __init__(self, args):
        self.log = open(args.log, "ab")
        self.heard = self.told = ""
        self.port = free_port()
        self.began = time.time()
        units = {"t.service": TELL_UNIT}
        listening = [listen(f"{args.work}/{name}") for name in ("serial", "told")]
        command = [
            "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-smp", "2", "-m", "1024", "-bios", args.firmware,
            "-nodefaults", "-display", "none",
            "-drive", f"if=none,id=card,format=raw,cache=writethrough,file={args.work}/card.img",
            "-device", "virtio-blk-pci,drive=card",
            "-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:7788",
            "-device", "virtio-net-pci,netdev=net",
            "-chardev", f"socket,id=serial,path={args.work}/serial", "-serial", "chardev:serial",
            "-chardev", f"socket,id=told,path={args.work}/told",
            "-device", "virtio-serial-pci", "-device", "virtconsole,chardev=told",
        ]
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

    def wait_for(self, is_there, seconds, nudge=None):
        """Until `is_there`; `nudge` is typed on the serial port every few seconds meanwhile."""
        end, typed = time.time() + seconds, 0
        while not is_there():
            if time.time() > end or self.process.poll() is not None:
                return False
            if nudge and time.time() - typed > 5:
                self.serial.send(nudge)
                typed = time.time()
            self.read()
        return True

    def system(self):
        """Which system U-Boot starts now, A or B."""
        word = "counterbox: system "
        expect(self.wait_for(lambda: word in self.heard and "\n" in self.heard.split(word, 1)[1], 120), "U-Boot chooses a system")
        self.heard = self.heard.split(word, 1)[1]
        return self.heard[0]

    def answers(self, words):
        there = self.wait_for(lambda: "box       tried, counterbox" in self.heard, START, nudge=b"\rstatus\r")
        expect(there, f"{words} ({time.time() - self.began:.0f} s after power on)")
        self.heard = self.heard[-2000:]

    def tells(self, word, words, seconds=START):
        """The line of a unit that begins with `word`."""
        there = self.wait_for(lambda: word in self.told and "\n" in self.told.split(word, 1)[1], seconds)
        expect(there, words)
        line, self.told = self.told.split(word, 1)[1].split("\n", 1)
        return line.strip()

    def power_off(self):
        """As `systemctl poweroff` does; whether the machine then is off."""
        self.units.send(b"off\n")
        is_off = self.wait_for(lambda: False, 120) or self.process.poll() == 0
        self.close()
        return is_off

    def close(self):
        self.process.kill()
        self.process.wait()
        for end in (self.serial, self.units, self.log):
            end.close()


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


def first_start(args):
    machine = Machine(args)
    try:
        expect(machine.system() == "A", "U-Boot chooses system A")
        passed("U-Boot chooses system A")
        machine.answers("the console answers on the serial port")
        passed(f"the console answers on the serial port, {time.time() - machine.began:.0f} s after power on")
        result = subprocess.run(
            [args.push, "push", "--to", f"tcp://127.0.0.1:{machine.port}", "--key", f"{args.work}/box.key", "--timeout", "120",
             '{"kind":"payment","amount":"12.50","channel":"wechat"}'], capture_output=True, text=True, check=False)
        said = (result.stdout + result.stderr).strip()
        expect('"state":"done"' in result.stdout.replace(" ", ""), f"a push over TCP comes to its end: {said}")
        passed(f"a push over TCP comes to its end: {said}")
        line = machine.tells("tells: ", "the units tell how they are")
        expect(line == "box active, trial active, failed: .", f"the box is active, and nothing failed: {line}")
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
        expect(key.read().strip().encode() not in file.read(128 * MIB), "the key is wiped from the boot partition")
    passed("the setup file is taken in and wiped")
    checked = subprocess.run(["e2fsck", "-fn", f"{card}?offset={args.data_at * MIB}"], capture_output=True, text=True, check=False)
    expect(checked.returncode == 0, f"the data partition is in order: {checked.stdout}{checked.stderr}")
    passed("the data partition was left in order")


def main():
    parser = argparse.ArgumentParser()
    for name in ("work", "firmware", "log", "push"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--data-at", type=int, required=True)
    args = parser.parse_args()
    open(args.log, "wb").close()
    # QEMU ends with us.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    first_start(args)


if __name__ == "__main__":
    main()
