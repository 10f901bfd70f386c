"""A hub's side of one connection to a listening box, written from docs/push-protocol.md alone."""

import hashlib
import hmac
import json
import os
import socket
import struct
import time

HELLO, WELCOME, PUSH, RESULT, PING, PONG, BYE = 0x01, 0x02, 0x10, 0x11, 0x20, 0x21, 0x7F


def crc32c_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


TABLE = crc32c_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


class PushHub:
    """Greets, proves, answers PING. What else comes goes to `was_welcomed` and `result`, which a user overrides."""

    def __init__(self, name, key, port):
        self.key = key
        self.sequence, self.buffer, self.welcomed = 0, b"", False
        self.nonce = os.urandom(32).hex()
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=1)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(5)
        self.send(HELLO, {"role": "hub", "hub": name, "nonce": self.nonce, "time": int(time.time() * 1000)})

    def was_welcomed(self):
        pass

    def result(self, payload):
        pass

    def send(self, kind, payload):
        self.socket.sendall(self.frame(kind, payload))

    def frame(self, kind, payload):
        self.sequence += 1
        text = json.dumps(payload).encode()
        head = struct.pack(">HBBII", 0xC0B1, 1, kind, self.sequence, len(text))
        return head + struct.pack(">I", crc32c(head + text)) + text

    def read(self):
        """Reads once and takes every whole frame. Returns how many there were; None at the end."""
        data = self.socket.recv(65536)
        if not data:
            return None
        self.buffer += data
        count = 0
        while len(self.buffer) >= 16:
            _, _, kind, sequence, length = struct.unpack(">HBBII", self.buffer[:12])
            if len(self.buffer) < 16 + length:
                break
            payload = json.loads(self.buffer[16:16 + length] or b"{}")
            self.buffer = self.buffer[16 + length:]
            self.take(kind, sequence, payload)
            count += 1
        return count

    def take(self, kind, sequence, payload):
        if kind == HELLO:
            def proof(side):
                text = f"counterbox-1|{side}|{payload['box']}|{self.nonce}|{payload['nonce']}|plain"
                return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()
            assert hmac.compare_digest(proof("box"), payload["proof"]), "the box's proof is wrong"
            self.send(WELCOME, {"proof": proof("hub")})
            self.welcomed = True
            self.was_welcomed()
        elif kind == RESULT:
            self.result(payload)
        elif kind == PING:
            self.send(PONG, {"ping": sequence})
        elif kind == BYE:
            raise OSError(f"the box says goodbye: {payload}")
