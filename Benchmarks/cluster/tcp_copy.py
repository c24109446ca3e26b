#!/usr/bin/env python3
"""Copies bytes from one process to another over TCP on loopback, and does nothing else.

    tcp_copy.py WRITES BYTES

Sends WRITES times BYTES bytes, and prints how many million bytes were read per second, from the first
write until the reader has confirmed that it has all.
"""
import os
import socket
import sys
import time

writes, size = map(int, sys.argv[1:])
listener = socket.create_server(("127.0.0.1", 0))
child = os.fork()
if child == 0:
    connection, _ = listener.accept()
    buffer = bytearray(1 << 20)
    left = writes * size
    while left > 0:
        count = connection.recv_into(buffer)
        if count == 0:
            os._exit(1)
        left -= count
    connection.sendall(b".")
    os._exit(0)
sender = socket.create_connection(listener.getsockname())
piece = b"\x53" * size
begin = time.monotonic()
for _ in range(writes):
    sender.sendall(piece)
confirmed = sender.recv(1)
seconds = time.monotonic() - begin
_, status = os.waitpid(child, 0)
if status != 0 or confirmed != b".":
    sys.exit("the copy failed")
print(f"{writes * size / seconds / 1e6:.1f}")
