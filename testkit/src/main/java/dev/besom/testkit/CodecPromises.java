package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.MalformedFilterException;
import dev.besom.filters.FilterFile;
import dev.besom.filters.Filters;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;

/**
 * What reading promises of bytes that somebody did damage: {@link MalformedFilterException} each time, and never a wrong
 * answer, an exhausted memory or an endless loop.
 *
 * <p>The damage comes from literal seeds also in thorough runs. A checksum of 32 bits passes one in 4 * 10^9 random
 * corruptions; fresh ones would spend more than the suite's budget of false alarms.
 */
final class CodecPromises {

    static final List<Promise> ALL = List.of(
            new Promise("a file cut off at any byte is refused", CodecPromises::truncations),
            new Promise("a file with any one bit flipped is refused", CodecPromises::bitFlips),
            new Promise("a file with random damage is refused", CodecPromises::corruptions),
            new Promise("bytes that never were a filter are refused", CodecPromises::garbage),
            new Promise("forged numbers with right checksums do no harm", CodecPromises::forgedNumbers),
            new Promise("forged contents with right checksums do no harm", CodecPromises::forgedContents));

    private static final int CORRUPTIONS = Seeds.isThorough() ? 100_000 : 10_000;
    private static final int FORGERIES = Seeds.isThorough() ? 20_000 : 2_000;
    private static final int QUERIES = 300;
    private static final Duration TIME_LIMIT = Duration.ofMinutes(Seeds.isThorough() ? 20 : 3);

    /** What a reader may allocate beyond twice the length of the file. */
    private static final long ALLOWANCE_BYTES = 1 << 20;

    private static final long[] HOSTILE = {
        0,
        1,
        -1,
        2,
        63,
        64,
        65,
        1_000,
        Integer.MAX_VALUE,
        1L << 31,
        1L << 32,
        (1L << 34) - 1,
        1L << 40,
        1L << 58,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Double.doubleToRawLongBits(Double.NaN),
        Double.doubleToRawLongBits(0.5)
    };

    private CodecPromises() {}

    private static void truncations(Subject subject) throws IOException {
        Filled full = subject.full(801);
        byte[] bytes = PersistencePromises.bytesOf(full);
        inTime(() -> {
            for (int length = 0; length < bytes.length; length++) {
                assertRefused(full, Arrays.copyOf(bytes, length), "cut off after " + length + " bytes");
            }
        });
    }

    private static void bitFlips(Subject subject) throws IOException {
        Filled full = subject.full(802);
        byte[] bytes = PersistencePromises.bytesOf(full);
        inTime(() -> {
            for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
                byte mask = (byte) (1 << bit % Byte.SIZE);
                bytes[bit / Byte.SIZE] ^= mask;
                assertRefused(full, bytes, "bit " + bit + " flipped");
                bytes[bit / Byte.SIZE] ^= mask;
            }
        });
        assertThat(read(full, bytes)).as("the undamaged file").isNotNull();
    }

    private static void corruptions(Subject subject) throws IOException {
        Filled full = subject.full(803);
        byte[] bytes = PersistencePromises.bytesOf(full);
        SplittableRandom random = new SplittableRandom(804);
        inTime(() -> {
            for (int i = 0; i < CORRUPTIONS; i++) {
                Damage damage = Damage.random(random);
                byte[] damaged = damage.applyTo(bytes, random);
                if (!startsWith(damaged, bytes)) {
                    assertRefused(full, damaged, "corruption " + i + ", " + damage);
                }
            }
        });
    }

    private static void garbage(Subject subject) {
        Filled full = subject.full(805);
        SplittableRandom random = new SplittableRandom(806);
        inTime(() -> {
            for (int length = 0; length < 300; length++) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                assertRefused(full, bytes, length + " random bytes");
                assertRefused(full, new byte[length], length + " zero bytes");
            }
        });
    }

    private static void forgedNumbers(Subject subject) throws IOException {
        Filled full = subject.full(807);
        ForgedFile file = new ForgedFile(PersistencePromises.bytesOf(full));
        long[] truth = file.numbers();
        long[] words = file.words();
        assertThat(file.forge(truth, words))
                .as("the file put together again, unchanged")
                .isEqualTo(PersistencePromises.bytesOf(full));
        SplittableRandom random = new SplittableRandom(808);
        inTime(() -> {
            for (int place = 0; place < truth.length; place++) {
                for (long hostile : HOSTILE) {
                    long[] numbers = truth.clone();
                    numbers[place] = hostile;
                    assertHarmless(full, file.forge(numbers, words), "numbers " + Arrays.toString(numbers));
                }
            }
            for (int i = 0; i < FORGERIES; i++) {
                long[] numbers = truth.clone();
                for (int change = random.nextInt(3); change >= 0; change--) {
                    int place = random.nextInt(truth.length);
                    numbers[place] = random.nextBoolean()
                            ? HOSTILE[random.nextInt(HOSTILE.length)]
                            : truth[place] + random.nextLong(-2, 3);
                }
                assertHarmless(full, file.forge(numbers, words), "numbers " + Arrays.toString(numbers));
            }
        });
    }

    private static void forgedContents(Subject subject) throws IOException {
        Filled full = subject.full(809);
        ForgedFile file = new ForgedFile(PersistencePromises.bytesOf(full));
        SplittableRandom random = new SplittableRandom(810);
        inTime(() -> {
            for (int i = 0; i < FORGERIES; i++) {
                long[] words = file.words();
                int changes = i % 4 == 0 ? words.length : 1 + random.nextInt(4);
                for (int change = 0; change < changes; change++) {
                    int place = i % 4 == 0 ? change : random.nextInt(words.length);
                    words[place] = switch (i / 4 % 4) {
                        case 0 -> random.nextLong();
                        case 1 -> 0;
                        case 2 -> -1;
                        default -> words[place] ^ 1L << random.nextInt(Long.SIZE);
                    };
                }
                assertHarmless(full, file.forge(file.numbers(), words), "contents " + i);
            }
        });
    }

    private static void assertRefused(Filled full, byte[] bytes, String what) {
        FilterFile read = read(full, bytes);
        if (read != null) {
            throw new AssertionError(what + ": accepted, with "
                    + Arrays.stream(full.keys())
                            .filter(key -> !read.filter().mightContainHash(key))
                            .count()
                    + " of " + full.keys().length + " keys lost");
        }
    }

    /** A forger may make a filter that answers anything, but it answers, and reading it costs what its length allows. */
    private static void assertHarmless(Filled full, byte[] bytes, String what) {
        try {
            long before = Allocation.bytesSoFar();
            FilterFile read = read(full, bytes);
            long allocated = Allocation.bytesSoFar() - before;
            if (allocated > 2L * bytes.length + ALLOWANCE_BYTES) {
                throw new AssertionError(
                        "reading " + bytes.length + " bytes allocated " + allocated + ", which is too much");
            }
            if (read != null) {
                ask(read.filter(), full.keys());
            }
        } catch (RuntimeException | AssertionError | OutOfMemoryError e) {
            throw new AssertionError(what + ": " + e, e);
        }
    }

    private static void ask(PersistentFilter filter, long[] keys) {
        long[] hashes = HashStream.fresh(811).next(QUERIES);
        System.arraycopy(keys, 0, hashes, 0, Math.min(keys.length, QUERIES / 2));
        long[] result = State.bitmap(QUERIES);
        filter.mightContainHashes(hashes, 0, QUERIES, result);
        if (!Arrays.equals(result, State.answers(filter, hashes))) {
            throw new AssertionError("bulk and single answers differ");
        }
        assertThat(filter.count()).isNotNegative();
        assertThat(filter.sizeInBits()).isPositive();
        assertThat(filter.expectedFpp()).isBetween(0.0, 1.0);
    }

    /** The filter, or null where the bytes were refused in the documented way. */
    private static @Nullable FilterFile read(Filled full, byte[] bytes) {
        try {
            return Filters.readHashFilter(new ByteArrayInputStream(bytes), full.stored());
        } catch (MalformedFilterException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean startsWith(byte[] bytes, byte[] start) {
        return bytes.length >= start.length && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
    }

    private static void inTime(Runnable work) {
        Assertions.assertTimeoutPreemptively(TIME_LIMIT, work::run);
    }

    /** What can happen to bytes on their way. */
    private enum Damage {
        OVERWRITTEN,
        INSERTED,
        REMOVED,
        SWAPPED,
        ZEROED,
        CUT_OFF;

        private static final int LONGEST = 64;

        static Damage random(SplittableRandom random) {
            Damage[] all = values();
            return all[random.nextInt(all.length)];
        }

        byte[] applyTo(byte[] original, SplittableRandom random) {
            int length = 1 + random.nextInt(Math.min(LONGEST, original.length / 2));
            int at = random.nextInt(original.length - length);
            byte[] bytes = original.clone();
            switch (this) {
                case OVERWRITTEN -> {
                    byte[] noise = new byte[length];
                    random.nextBytes(noise);
                    System.arraycopy(noise, 0, bytes, at, length);
                }
                case ZEROED -> Arrays.fill(bytes, at, at + length, (byte) 0);
                case INSERTED -> {
                    bytes = Arrays.copyOf(original, original.length + length);
                    System.arraycopy(original, at, bytes, at + length, original.length - at);
                }
                case REMOVED -> {
                    System.arraycopy(original, at + length, bytes, at, original.length - at - length);
                    bytes = Arrays.copyOf(bytes, original.length - length);
                }
                case SWAPPED -> {
                    int other = random.nextInt(original.length - length);
                    System.arraycopy(original, at, bytes, other, length);
                    System.arraycopy(original, other, bytes, at, length);
                }
                case CUT_OFF -> bytes = Arrays.copyOf(original, at);
            }
            return bytes;
        }
    }
}
