package dev.besom.lab.race;

import dev.besom.hash.Mix;
import dev.besom.lab.peer.TextFilter;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Takes the times of filters whose keys are texts of 40 chars, hashing included: {@code account:} and 32 hexadecimal digits, which
 * follow from a number of the race. As with numbers, filters are filled one by one and warm, and times are those of the processor.
 */
final class TextTimes {

    private static final int CHUNK = 1 << 12;
    private static final int SAMPLE = CHUNK * (int) Pace.part(1 << 6);
    private static final int LARGE_FILL = 1 << 18;
    private static final long WARM_UP_NANOS = Pace.part(250_000_000);
    private static final long SHORTEST_NANOS = Pace.part(50_000_000);

    private final Function<String[], TextFilter> empty;
    private final Loop loop = TimingLoop.fresh();
    private long positives;

    /** @param empty makes an empty filter for these texts */
    TextTimes(Function<String[], TextFilter> empty) {
        this.empty = empty;
    }

    /** Fills a filter with the texts of numbers and takes its times. */
    Times of(long[] numbers, long seed) {
        String[] members = new String[numbers.length];
        Arrays.setAll(members, i -> text(numbers[i]));
        warmUp(members);
        String[] hits = new String[SAMPLE];
        String[] misses = new String[SAMPLE];
        SplittableRandom random = new SplittableRandom(Mix.mix(seed + 7));
        for (int i = 0; i < SAMPLE; i++) {
            hits[i] = members[random.nextInt(members.length)];
            // No member has a dash.
            misses[i] = text(random.nextLong()).replace(':', '-');
        }
        TextFilter filter = empty.apply(members);
        double insertNanos = fill(filter, members);
        for (String[] sample : new String[][] {misses, hits}) {
            query(filter, sample, WARM_UP_NANOS);
        }
        Times.Queries queries = new Times.Queries(
                query(filter, hits, SHORTEST_NANOS), query(filter, misses, SHORTEST_NANOS), Double.NaN);
        return new Times(new Times.Fill(insertNanos, Double.NaN), queries, Times.Queries.NONE, Double.NaN);
    }

    static String text(long number) {
        return "account:" + hex(number) + hex(Mix.mix(number));
    }

    private static String hex(long number) {
        String digits = Long.toHexString(number);
        return "0".repeat(16 - digits.length()) + digits;
    }

    private void warmUp(String[] members) {
        String[] some = Arrays.copyOf(members, Math.min(members.length, CHUNK));
        for (long start = ProcessorClock.nanos(); ProcessorClock.nanos() - start < WARM_UP_NANOS; ) {
            fill(empty.apply(some), some);
        }
        String[] many = Arrays.copyOf(members, Math.min(members.length, LARGE_FILL));
        fill(empty.apply(many), many);
    }

    private double fill(TextFilter filter, String[] texts) {
        long start = ProcessorClock.nanos();
        for (int from = 0; from < texts.length; from += CHUNK) {
            loop.add(filter, texts, from, Math.min(CHUNK, texts.length - from));
        }
        return (ProcessorClock.nanos() - start) / (double) texts.length;
    }

    private double query(TextFilter filter, String[] sample, long leastNanos) {
        long start = ProcessorClock.nanos();
        long passes = 0;
        long taken;
        do {
            for (int from = 0; from < SAMPLE; from += CHUNK) {
                positives += loop.single(filter, sample, from, CHUNK);
            }
            passes++;
            taken = ProcessorClock.nanos() - start;
        } while (taken < leastNanos);
        return taken / ((double) passes * SAMPLE);
    }

    /** How many answers were "maybe" so far: what keeps the compiler from leaving the queries out. */
    long positives() {
        return positives;
    }
}
