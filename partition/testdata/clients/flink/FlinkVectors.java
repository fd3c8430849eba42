import java.io.IOException;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.util.EnvironmentInformation;
import vectors.Harness;

/** Flink with text keys: the count is the parallelism, the maximum of it is Flink's own default for that. */
public final class FlinkVectors {
    public static void main(String[] args) throws IOException {
        Harness harness = new Harness(args);
        harness.client("flink", "org.apache.flink:flink-runtime", EnvironmentInformation.getVersion(),
                "javahash, murmur3 of it, mod max parallelism", "key group");
        harness.rows("flink", key -> Harness.text(key).hashCode(),
                (key, n) -> key == null ? withoutKey(n) : KeyGroupRangeAssignment.assignKeyToParallelOperator(Harness.text(key), max(n), n),
                (key, n) -> KeyGroupRangeAssignment.assignToKeyGroup(Harness.text(key), max(n)));
    }

    private static int withoutKey(int n) {
        try {
            return KeyGroupRangeAssignment.assignKeyToParallelOperator(null, max(n), n);
        } catch (NullPointerException e) {
            throw new Harness.Refused(e.getMessage());
        }
    }

    private static int max(int parallelism) {
        return KeyGroupRangeAssignment.computeDefaultMaxParallelism(parallelism);
    }
}
