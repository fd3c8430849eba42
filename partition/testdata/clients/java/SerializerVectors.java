import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.serialization.BooleanSerializer;
import org.apache.kafka.common.serialization.DoubleSerializer;
import org.apache.kafka.common.serialization.FloatSerializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.ShortSerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.serialization.UUIDSerializer;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.apache.kafka.common.utils.Utils;

/** Which bytes Kafka's serializers make of a value, as JSON on standard output. */
public final class SerializerVectors {
    private static final List<String> ROWS = new ArrayList<>();

    public static void main(String[] args) {
        for (String s : new String[] {"", "8831", "user-1042", "a\u0000b", "caf\u00e9", "cafe\u0301", "Z\u00fcrich", "\u20ac", "\ufeffa", "\uffff",
            "fd7af248-ce5c-46a5-93d7-1c0c9005b99d", "\ud83d\ude00", "user-\ud83d\ude00", "\udbff\udfff",
            "\ud83d", "\ude00", "a\udc00b", "\ude00\ud83d", "\ud83d\ud83d\ude00", "?", "a?b"}) {
            add(new StringSerializer(), s);
        }
        for (long v : new long[] {0, 1, -1, 8831, -8831, 1L << 31, 1L << 53, (1L << 53) + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            add(new LongSerializer(), v);
        }
        for (int v : new int[] {0, 1, -1, 8831, -8831, 1 << 16, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            add(new IntegerSerializer(), v);
        }
        for (short v : new short[] {0, 1, -1, 8831, -8831, Short.MIN_VALUE, Short.MAX_VALUE}) {
            add(new ShortSerializer(), v);
        }
        // The last one is a NaN with other bits than Java's own: do they survive?
        for (double v : new double[] {0.0, -0.0, 1, -1, 8831, 0.1, 1e21, Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE, -Double.MAX_VALUE,
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, Double.longBitsToDouble(0xfff8000000000001L)}) {
            add(new DoubleSerializer(), v);
        }
        for (float v : new float[] {0.0f, -0.0f, 1, -1, 8831, 0.1f, 16777216, Float.MIN_VALUE, Float.MIN_NORMAL, Float.MAX_VALUE, -Float.MAX_VALUE,
            Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, Float.intBitsToFloat(0xffc00001)}) {
            add(new FloatSerializer(), v);
        }
        for (String s : new String[] {"fd7af248-ce5c-46a5-93d7-1c0c9005b99d", "FD7AF248-CE5C-46A5-93D7-1C0C9005B99D",
            "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"}) {
            add(new UUIDSerializer(), UUID.fromString(s));
        }
        add(new BooleanSerializer(), true);
        add(new BooleanSerializer(), false);

        System.out.printf("{\"library\":\"org.apache.kafka:kafka-clients\",\"version\":\"%s\",\"rows\":[\n%s\n]}\n",
                AppInfoParser.getVersion(), String.join(",\n", ROWS));
    }

    private static <T> void add(Serializer<T> serializer, T value) {
        String name = serializer.getClass().getSimpleName().replace("Serializer", "");
        byte[] bytes = serializer.serialize("topic", value);
        String exact = "";
        if (value instanceof String s) { // a JSON reader may not keep a lone surrogate
            StringBuilder units = new StringBuilder();
            s.chars().forEach(c -> units.append(String.format("%04x", c)));
            exact = ",\"utf16\":\"" + units + "\"";
        } else if (value instanceof Double d) { // nor does text tell one NaN from another
            exact = String.format(",\"bits\":\"%016x\"", Double.doubleToRawLongBits(d));
        } else if (value instanceof Float f) {
            exact = String.format(",\"bits\":\"%08x\"", Float.floatToRawIntBits(f));
        }
        ROWS.add(String.format("{\"serializer\":\"%s\",\"value\":\"%s\"%s,\"hex\":\"%s\",\"murmur2\":%d,\"partition12\":%d}", name,
                escape(value.toString()), exact, HexFormat.of().formatHex(bytes), Utils.murmur2(bytes), BuiltInPartitioner.partitionForKey(bytes, 12)));
    }

    private static String escape(String s) {
        StringBuilder out = new StringBuilder();
        for (char c : s.toCharArray()) {
            out.append(c >= ' ' && c < 0x7f && c != '"' && c != '\\' ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return out.toString();
    }
}
