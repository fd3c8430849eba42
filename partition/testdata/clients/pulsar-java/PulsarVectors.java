import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.pulsar.PulsarVersion;
import org.apache.pulsar.client.api.HashingScheme;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.impl.JavaStringHash;
import org.apache.pulsar.client.impl.RoundRobinPartitionMessageRouterImpl;
import org.apache.pulsar.client.impl.TypedMessageBuilderImpl;
import vectors.Harness;

/** Pulsar's default router with text keys. Its hash has the sign bit masked off already. */
public final class PulsarVectors {
    public static void main(String[] args) throws IOException {
        // One per count, as for a topic each: they count messages.
        Map<Integer, RoundRobinPartitionMessageRouterImpl> routers = new HashMap<>();
        Harness harness = new Harness(args);
        harness.client("pulsar-java", "org.apache.pulsar:pulsar-client-original", PulsarVersion.getVersion(), "javahash, mask", "");
        harness.rows("pulsar-java", key -> JavaStringHash.getInstance().makeHash(Harness.text(key)), (key, n) -> {
            TypedMessageBuilderImpl<byte[]> message = new TypedMessageBuilderImpl<>(null, Schema.BYTES);
            message.value(new byte[0]);
            if (key != null) {
                message.key(Harness.text(key));
            }
            return routers.computeIfAbsent(n, PulsarVectors::router).choosePartition(message.getMessage(), () -> n);
        }, null);
    }

    /** Without batching a message without key goes to the next partition each time; with batching that would take a while. */
    private static RoundRobinPartitionMessageRouterImpl router(int partitions) {
        return new RoundRobinPartitionMessageRouterImpl(HashingScheme.JavaStringHash, 0, false, 1);
    }
}
