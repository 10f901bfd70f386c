#!/usr/bin/env python3
"""A hub: hub.py KEY-FILE HOST:PORT BODY pushes one body to a listening box and prints what became of it."""
import hashlib, hmac, json, secrets, socket, struct, sys, time

key, place, body = bytes.fromhex(open(sys.argv[1]).read().strip()), sys.argv[2].rsplit(":", 1), sys.argv[3]
push_id = "py-" + secrets.token_hex(8)  # the same at every try: the box tells each id once
sent = (now := lambda: int(time.time() * 1000))()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


class Box:
    def __init__(self):
        self.socket, self.sequence = socket.create_connection(place, 75), 0
        self.stream = self.socket.makefile("rb")

    def send(self, kind, payload):
        data = payload.encode()
        self.sequence += 1
        head = struct.pack(">HBBII", 0xC0B1, 1, kind, self.sequence, len(data))
        self.socket.sendall(head + struct.pack(">I", crc32c(head + data)) + data)

    def receive(self):
        head = self.stream.read(16)
        if len(head) < 16:
            raise ConnectionError("the box closed the connection")
        magic, version, kind, sequence, length, checksum = struct.unpack(">HBBIII", head)
        data = self.stream.read(length)
        if (magic, version, checksum) != (0xC0B1, 1, crc32c(head[:12] + data)):
            raise ConnectionError("no frame")
        return kind, sequence, json.loads(data or b"{}")


def push():
    box, nonce, is_done = Box(), secrets.token_hex(32), False
    box.send(0x01, f'{{"role":"hub","hub":"example-py","nonce":"{nonce}","time":{now()}}}')
    while not is_done or kind != 0x20:  # the box asks at the end whether its outcome is kept
        kind, sequence, frame = box.receive()
        if kind == 0x01:  # HELLO: is it our box? Then it learns that we are its hub.
            text = "counterbox-1|{}|" + "|".join([frame["box"], nonce, frame["nonce"], "plain"])
            prove = lambda role: hmac.new(key, text.format(role).encode(), hashlib.sha256).hexdigest()
            if not hmac.compare_digest(frame["proof"], prove("box")):
                sys.exit("this box has another key")
            box.send(0x02, json.dumps({"proof": prove("hub")}))
            # The body goes as it is written, so that 12.50 stays 12.50.
            box.send(0x10, f'{{"id":"{push_id}","sent":{sent},"time":{now()},"body":{body}}}')
        elif kind == 0x11:  # RESULT; the last one tells of voice and paper
            print(json.dumps(frame), flush=True)
            is_done = "voice" in frame and "paper" in frame
            if frame["state"] == "refused":
                break
        elif kind == 0x20:  # PING: every RESULT before it is printed, which is how this hub keeps them
            box.send(0x21, json.dumps({"ping": sequence}))
        elif kind == 0x7F:
            sys.exit("the box says goodbye: " + frame["reason"])
    box.send(0x7F, '{"reason":"closing"}')


while True:
    try:
        sys.exit(push())
    except OSError as error:
        print(f"{error}: once more in 2 s", file=sys.stderr)
        time.sleep(2)
