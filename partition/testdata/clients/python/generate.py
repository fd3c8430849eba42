"""Asks the default partitioners of kafka-python and aiokafka."""

import csv
import sys
from importlib.metadata import version

import aiokafka.partitioner
import kafka.partitioner.default

REPEATS = 24


class Cluster:
    """The part of the cluster metadata that kafka-python's partitioner looks at: n partitions, all available."""

    def __init__(self, n):
        self.partitions = set(range(n))

    def topics(self):
        return {"topic"}

    def partitions_for_topic(self, topic):
        return self.partitions

    available_partitions_for_topic = partitions_for_topic


def main(keys_file, counts_file):
    with open(keys_file, encoding="utf-8", newline="") as f:
        keys = ["null"] + [row["hex"] for row in csv.DictReader(f)]
    with open(counts_file, encoding="utf-8") as f:
        counts = [int(line) for line in f]

    default = kafka.partitioner.default.DefaultPartitioner()
    clusters = {n: Cluster(n) for n in counts}
    ask("kafka-python", kafka.partitioner.default.murmur2, keys, counts,
        lambda key, n: default.partition("topic", key, key, None, None, clusters[n]))

    default_aio = aiokafka.partitioner.DefaultPartitioner()
    ids = {n: list(range(n)) for n in counts}
    ask("aiokafka", aiokafka.partitioner.murmur2, keys, counts,
        lambda key, n: default_aio(key, ids[n], ids[n]))


def ask(preset, murmur2, keys, counts, partition):
    print("client", preset, preset, version(preset), "murmur2, mask", sep="\t")
    for text in keys:
        key = None if text == "null" else bytes.fromhex(text)
        # Both return the hash unsigned.
        signed = "" if key is None else (murmur2(key) ^ 1 << 31) - (1 << 31)
        for _ in range(REPEATS):
            print("row", preset, text, signed, " ".join(str(partition(key, n)) for n in counts), sep="\t")


main(*sys.argv[1:])
