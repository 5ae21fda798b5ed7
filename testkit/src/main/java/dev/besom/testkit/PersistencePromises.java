package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.MalformedFilterException;
import dev.besom.filters.FilterFile;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** What {@link PersistentFilter} promises, with {@link Filters} as its other half, of bytes that nobody damaged. */
final class PersistencePromises {

    static final List<Promise> ALL = List.of(
            new Promise("a filter read back answers the same", PersistencePromises::sameAnswers),
            new Promise("a filter read back goes on working", PersistencePromises::goesOnWorking),
            new Promise("an empty filter can be written and read", PersistencePromises::emptyFilter),
            new Promise("the size of the file is known before", PersistencePromises::sizeIsKnown),
            new Promise("writing again writes the same bytes", PersistencePromises::sameBytes),
            new Promise("a stream of single bytes gives the same filter", PersistencePromises::singleBytes),
            new Promise("the stream is left right behind the filter", PersistencePromises::streamIsLeftBehind),
            new Promise("a file is replaced whole and leaves nothing beside it", PersistencePromises::files));

    private static final int PROBES = 100_000;
    private static final HasherStamp STAMP = new HasherStamp("test-hasher", -3);

    private PersistencePromises() {}

    private static void sameAnswers(Subject subject) throws IOException {
        Filled full = subject.full(subject.seed(701));
        FilterFile file = read(full, bytesOf(full));
        assertThat(file.hasher()).isEqualTo(STAMP);
        assertSame(subject, full, file.filter());
    }

    private static void goesOnWorking(Subject subject) throws IOException {
        long seed = subject.seed(702);
        Filled half = subject.filledWith(HashStream.stored(seed).next(subject.capacity() / 2));
        Filled again = new Filled(read(half, bytesOf(half)).filter(), half.stored(), half.keys());
        if (again.filter() instanceof DeletableFilter) {
            for (int i = 0; i < again.keys().length; i += 2) {
                assertThat(again.delete(again.keys()[i]))
                        .as("delete of key %d", i)
                        .isTrue();
            }
        }
        if (subject.isInsertable()) {
            HashStream more = HashStream.stored(subject.seed(703));
            for (int i = again.keys().length; i < subject.capacity(); i++) {
                long key = more.next();
                try {
                    again.insert(key);
                } catch (FilterFullException e) {
                    throw new AssertionError("full before the planned number of keys", e);
                }
            }
        }
        again.assertNothingLost();
    }

    private static void emptyFilter(Subject subject) throws IOException {
        Filled empty = subject.empty();
        assertSame(subject, empty, read(empty, bytesOf(empty)).filter());
    }

    private static void sizeIsKnown(Subject subject) throws IOException {
        for (Filled filled : List.of(subject.empty(), subject.full(subject.seed(704)))) {
            assertThat(Filters.fileSizeInBytes(filled.persistent(), STAMP)).isEqualTo(bytesOf(filled).length);
        }
    }

    private static void sameBytes(Subject subject) throws IOException {
        Filled full = subject.full(subject.seed(705));
        byte[] bytes = bytesOf(full);
        assertThat(bytesOf(full)).isEqualTo(bytes);
        Filled again = new Filled(read(full, bytes).filter(), full.stored(), full.keys());
        assertThat(bytesOf(again)).as("bytes of the filter read back").isEqualTo(bytes);
    }

    private static void singleBytes(Subject subject) throws IOException {
        Filled full = subject.full(subject.seed(706));
        try (InputStream trickle = new Trickle(bytesOf(full))) {
            assertSame(
                    subject,
                    full,
                    Filters.readHashFilter(trickle, full.stored()).filter());
        }
    }

    private static void streamIsLeftBehind(Subject subject) throws IOException {
        Filled full = subject.full(subject.seed(707));
        byte[] bytes = bytesOf(full);
        ByteArrayOutputStream twice = new ByteArrayOutputStream();
        twice.writeBytes(bytes);
        twice.writeBytes(bytes);
        twice.write(42);
        InputStream in = new ByteArrayInputStream(twice.toByteArray());
        Filters.readHashFilter(in, full.stored());
        assertThat(in.available()).isEqualTo(bytes.length + 1);
        Filters.readHashFilter(in, full.stored());
        assertThat(in.read()).isEqualTo(42);
    }

    private static void files(Subject subject) throws IOException {
        Path folder = Files.createTempDirectory("besom");
        Path file = folder.resolve("filter.besom");
        try {
            Filled empty = subject.empty();
            Filters.saveHashFilter(empty.persistent(), STAMP, file);
            assertSame(
                    subject, empty, Filters.readHashFilter(file, empty.stored()).filter());
            Filled full = subject.full(subject.seed(708));
            Filters.saveHashFilter(full.persistent(), STAMP, file);
            assertThat(Files.readAllBytes(file)).isEqualTo(bytesOf(full));
            assertSame(
                    subject, full, Filters.readHashFilter(file, full.stored()).filter());
            try (Stream<Path> inFolder = Files.list(folder)) {
                assertThat(inFolder).containsExactly(file);
            }
            Files.write(file, new byte[] {0}, StandardOpenOption.APPEND);
            assertThatThrownBy(() -> Filters.readHashFilter(file, full.stored()))
                    .as("reading a file with a byte too many")
                    .isInstanceOf(MalformedFilterException.class);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static void assertSame(Subject subject, Filled expected, PersistentFilter actual) {
        State.of(expected.filter()).assertStillThatOf(actual);
        Filled.assertAllFound(actual, expected.keys());
        long[] probes = HashStream.fresh(subject.seed(709)).next(PROBES);
        assertThat(State.answers(actual, probes)).as("answers").isEqualTo(State.answers(expected.filter(), probes));
    }

    static byte[] bytesOf(Filled filled) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Filters.writeHashFilter(filled.persistent(), STAMP, out);
        return out.toByteArray();
    }

    private static FilterFile read(Filled filled, byte[] bytes) throws IOException {
        return Filters.readHashFilter(new ByteArrayInputStream(bytes), filled.stored());
    }

    /** Gives one byte a call, however many are asked for. */
    private static final class Trickle extends InputStream {

        private final byte[] bytes;
        private int position;

        Trickle(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return position == bytes.length ? -1 : bytes[position++] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length == 0) {
                return 0;
            }
            int next = read();
            if (next < 0) {
                return -1;
            }
            target[offset] = (byte) next;
            return 1;
        }
    }
}
