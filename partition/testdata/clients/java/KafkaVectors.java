// In Kafka's own package, because the sticky choice for null keys is not public.
package org.apache.kafka.clients.producer.internals;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.common.utils.internals.LogContext;
import vectors.Harness;

/** The default of Kafka's own producer. */
public final class KafkaVectors {
    private static final String TOPIC = "topic";
    private static final Map<Integer, Cluster> CLUSTERS = new HashMap<>();

    public static void main(String[] args) throws IOException {
        BuiltInPartitioner sticky = new BuiltInPartitioner(new LogContext(), TOPIC, 1, false, "");
        Harness harness = new Harness(args);
        harness.client("java", "org.apache.kafka:kafka-clients", AppInfoParser.getVersion(), "murmur2, mask", "");
        harness.rows("java", Utils::murmur2,
                (key, n) -> key == null ? withoutKey(sticky, n) : BuiltInPartitioner.partitionForKey(key, n), null);
    }

    /** A batch of one byte is full after each record, so each call chooses anew. */
    private static int withoutKey(BuiltInPartitioner sticky, int n) {
        Cluster cluster = CLUSTERS.computeIfAbsent(n, KafkaVectors::cluster);
        // The choice outlives a smaller topic: give it up first.
        sticky.updatePartitionInfo(sticky.peekCurrentPartitionInfo(cluster), 1, cluster);
        return sticky.peekCurrentPartitionInfo(cluster).partition();
    }

    private static Cluster cluster(int n) {
        Node node = new Node(0, "localhost", 9092);
        Node[] replicas = {node};
        List<PartitionInfo> partitions = IntStream.range(0, n)
                .mapToObj(i -> new PartitionInfo(TOPIC, i, node, replicas, replicas)).toList();
        return new Cluster("cluster", List.of(node), partitions, Collections.emptySet(), Collections.emptySet());
    }
}
