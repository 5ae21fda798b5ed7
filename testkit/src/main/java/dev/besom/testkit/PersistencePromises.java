package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.AdaptiveFilter;
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
            new Promise("a filter of crowded hashes can be read at any time", PersistencePromises::crowdedHashes),
            new Promise("the size of the file is known before", PersistencePromises::sizeIsKnown),
            new Promise("writing again writes the same bytes", PersistencePromises::sameBytes),
            new Promise("a stream of single bytes gives the same filter", PersistencePromises::singleBytes),
            new Promise("the stream is left right behind the filter", PersistencePromises::streamIsLeftBehind),
            new Promise("a file is replaced whole and leaves nothing beside it", PersistencePromises::files));

    private static final int PROBES = Seeds.isThorough() ? 100_000 : 10_000;
    private static final int MOST_CROWDED = 240;
    private static final int CROWDED_BITS = 40;
    private static final int REPAIRS_A_STEP = 4;
    private static final int STEPS_A_FILE = 8;
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

    /** A third of the hashes share their upper bits, as if half of a key was no hash. */
    private static void crowdedHashes(Subject subject) throws IOException {
        if (!subject.isInsertable()) {
            return;
        }
        Subject small = subject.withSpec(subject.spec().withCapacity(Math.min(MOST_CROWDED, subject.capacity())));
        HashStream stream = HashStream.stored(subject.seed(710));
        HashStream fresh = HashStream.fresh(subject.seed(710));
        long common = stream.next() & -1L << CROWDED_BITS;
        Filled filled = small.empty();
        for (int i = 0; i < small.capacity(); i++) {
            long hash = i % 3 == 0 ? common | stream.next() >>> (Long.SIZE - CROWDED_BITS) : stream.next();
            try {
                filled.insert(hash);
            } catch (FilterFullException e) {
                // Crowded hashes may find no room before the others do.
                filled.stored().remove(hash);
            }
            change(filled, fresh, common);
            if (i % STEPS_A_FILE == 0) {
                FilterFile file = read(filled, bytesOf(filled));
                // A spill may give spare memory back when it is read, so sizes are not compared here.
                assertThat(file.filter().count()).isEqualTo(filled.filter().count());
                assertThat(file.filter().expectedFpp())
                        .isEqualTo(filled.filter().expectedFpp());
                filled = new Filled(file.filter(), filled.stored(), filled.keys());
                filled.assertNothingLost();
            }
        }
        filled.assertNothingLost();
    }

    /** A few repairs near the crowd, and now and then a delete there. */
    private static void change(Filled filled, HashStream fresh, long common) {
        if (filled.filter() instanceof AdaptiveFilter adaptive) {
            for (int i = 0; i < REPAIRS_A_STEP; i++) {
                long query = common | fresh.next() >>> (Long.SIZE - CROWDED_BITS);
                if (adaptive.mightContainHash(query) && !filled.stored().contains(query)) {
                    adaptive.repairHash(query);
                }
            }
        }
        if (filled.filter() instanceof DeletableFilter && fresh.next() % 4 == 0) {
            long[] crowd = filled.stored().between(common, common | -1L >>> (Long.SIZE - CROWDED_BITS));
            if (crowd.length > 0) {
                filled.delete(crowd[(int) Long.remainderUnsigned(fresh.next(), crowd.length)]);
            }
        }
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
