"""Asks a real Redis server for the slot of every key, and stops it again."""

import csv
import socket
import subprocess
import sys
import tempfile
import time

REPEATS = 24


def free_port():
    # The cluster bus takes the port 10000 above, which must exist and be free too.
    for port in range(17000, 27000):
        try:
            for p in (port, port + 10000):
                with socket.socket() as s:
                    s.bind(("127.0.0.1", p))
            return port
        except OSError:
            continue
    sys.exit("redis: no free port")


def connect(server, port):
    for _ in range(100):
        if server.poll() is not None:
            sys.exit("redis: the server stopped: " + server.stdout.read())
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=10)
        except OSError:
            time.sleep(0.1)
    sys.exit("redis: the server does not answer")


def command(*args):
    return b"*%d\r\n" % len(args) + b"".join(b"$%d\r\n%s\r\n" % (len(a), a) for a in args)


def main(keys_file):
    with open(keys_file, encoding="utf-8", newline="") as f:
        keys = [row["hex"] for row in csv.DictReader(f)]
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "",
             "--cluster-enabled", "yes"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            with connect(server, port) as conn, conn.makefile("rb") as replies:
                conn.sendall(command(b"INFO", b"server"))
                info = replies.read(int(replies.readline()[1:]) + 2).decode()
                version = info.split("redis_version:")[1].split()[0]
                print("client", "redis-cluster", "redis-server", version, "crc16 of the hash tag, mod 16384", "slot", sep="\t")
                for key in keys:
                    for _ in range(REPEATS):
                        conn.sendall(command(b"CLUSTER", b"KEYSLOT", bytes.fromhex(key)))
                        reply = replies.readline().decode().strip()
                        if not reply.startswith(":"):
                            sys.exit("redis: " + reply)
                        print("row", "redis-cluster", key, "", "", reply[1:], sep="\t")
        finally:
            server.terminate()
            server.wait()


main(sys.argv[1])
