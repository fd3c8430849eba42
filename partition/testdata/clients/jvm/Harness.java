package vectors; // named, so that a client program in a package of its own can import it

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the programs for Java clients share: reads keys and counts, asks, prints the answers as pack reads them. */
public final class Harness {
    private static final int REPEATS = 24;

    /** Thrown by a client program for a key that the client cannot take. */
    public static final class Refused extends RuntimeException {
        public Refused(String why) {
            super(why);
        }
    }

    public interface Partitioner {
        /** @param key null for the null key */
        long partition(byte[] key, int partitions);
    }

    public interface Hash {
        int hash(byte[] key);
    }

    private final List<byte[]> keys = new ArrayList<>();
    private final int[] counts;
    private final PrintStream out =
            new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16), false, StandardCharsets.UTF_8);

    /** @param args the key list and the file of partition counts */
    public Harness(String[] args) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(args[0]));
        for (String line : lines.subList(1, lines.size())) {
            keys.add(HexFormat.of().parseHex(line.substring(0, line.indexOf(','))));
        }
        keys.add(null);
        counts = Files.readAllLines(Path.of(args[1])).stream().mapToInt(Integer::parseInt).toArray();
    }

    /** A text key; strict, because a lenient decoder turns different invalid keys into the same text. */
    public static String text(byte[] key) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
        } catch (CharacterCodingException e) {
            throw new Refused("not UTF-8");
        }
    }

    public void client(String preset, String library, String version, String algorithm, String unit) {
        line("client", preset, library, version, algorithm, unit);
    }

    /** Asks about all keys. The calls for one key follow one another, so that a sticky or rotating choice shows. */
    public void rows(String preset, Hash hash, Partitioner partitioner, Partitioner values) {
        for (byte[] key : keys) {
            for (int i = 0; i < REPEATS; i++) {
                String hex = key == null ? "null" : HexFormat.of().formatHex(key);
                try {
                    line("row", preset, hex, key == null ? "" : Integer.toString(hash.hash(key)),
                            each(partitioner, key), values == null ? "" : each(values, key));
                } catch (Refused e) {
                    line("row", preset, hex, "", "refused");
                }
            }
        }
        out.flush();
    }

    private String each(Partitioner p, byte[] key) {
        return IntStream.of(counts).mapToObj(n -> Long.toString(p.partition(key, n))).collect(Collectors.joining(" "));
    }

    private void line(String... fields) {
        out.println(String.join("\t", fields));
    }
}
