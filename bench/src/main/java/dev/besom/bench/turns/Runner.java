package dev.besom.bench.turns;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.LongKeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.hash.Mix;
import dev.besom.lab.race.Contender;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.Loop;
import dev.besom.lab.race.ProcessorClock;
import dev.besom.lab.race.TimingLoop;
import dev.besom.stored.RehashableMemoryHashes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One contender in a JVM of its own: reads a request a line from standard input, writes an answer a line.
 *
 * <pre>
 *   fill, fill-bulk     nanoseconds a key, and the bits of the filter
 *   miss, hit, bulk     with the number of a part of the sample: nanoseconds a query, the lower quartile of slices of 4096
 *   age                 with a number: so many queries a key, each false positive repaired; the share of them
 * </pre>
 *
 * The lower quartile, because a processor may share its core with another tenant's, which takes a third of its speed for some
 * milliseconds at a time.
 */
final class Runner {

    /** Queries of a sample: their cache lines do not fit into any cache. */
    static final int PARTS = 4;

    private static final int PART = 1 << 18;
    private static final int SAMPLE = PARTS * PART;

    /** So many queries before each part bring back what the contender before has driven from the caches. */
    private static final int LEAD_IN = 1 << 16;

    private static final int CHUNK = 1 << 12;
    private static final int SMALL_FILLS = 400;
    private static final int WARM_UP_PASSES = 4;
    private static final long FIRST_FOREIGN = 1L << 40;
    private static final long FIRST_OF_AGEING = 1L << 41;

    private static final LongHasher HASHER = KeyHasher.longs();

    private final Contender contender;
    private final int keyCount;
    private final double fpp;
    private final Loop loop = TimingLoop.fresh();
    private final long[] misses = new long[SAMPLE];
    private final long[] hits = new long[SAMPLE];
    private final long[] result = new long[CHUNK / Long.SIZE];
    private @Nullable MembershipFilter filter;
    private @Nullable LongKeyFilter keyFilter;

    /** Keeps the compiler from leaving out what is measured. */
    private long answers;

    private Runner(Contender contender, int keyCount, double fpp) {
        this.contender = contender;
        this.keyCount = keyCount;
        this.fpp = fpp;
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < SAMPLE; i++) {
            hits[i] = key(random.nextInt(keyCount));
            misses[i] = key(FIRST_FOREIGN + i);
        }
    }

    /** Arguments: a contender, the number of keys, the rate, and the bits of the first contender. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = System.out;
        // Whatever a library prints must not get between the answers.
        System.setOut(System.err);
        Contender contender = Contenders.find(arguments[0], Long.parseLong(arguments[3]));
        Runner runner = new Runner(contender, Integer.parseInt(arguments[1]), Double.parseDouble(arguments[2]));
        runner.warmUp();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            String[] words = request.split(" ", -1);
            out.println(runner.answer(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 0));
            out.flush();
        }
        if (runner.answers == 0) {
            System.err.println(arguments[0] + " has answered nothing");
        }
    }

    private static long key(long number) {
        return Mix.expand(number, 0, 0);
    }

    private String answer(String request, int number) {
        return switch (request) {
            case "fill" -> fill(keyCount, false) + " " + filter().sizeInBits();
            case "fill-bulk" -> fill(keyCount, true) + " " + filter().sizeInBits();
            case "age" -> Double.toString(age(number));
            default -> Double.toString(time(request, number));
        };
    }

    private MembershipFilter filter() {
        MembershipFilter filled = filter;
        if (filled == null) {
            throw new IllegalStateException("fill first");
        }
        return filled;
    }

    /** Has the loops compiled: by many small filters, so that whole methods are, and by a larger one. */
    private void warmUp() {
        for (int i = 0; i < SMALL_FILLS; i++) {
            fill(CHUNK, i % 2 == 1);
            for (String request : new String[] {"miss", "hit", "bulk"}) {
                chunks(request, 0, CHUNK);
            }
        }
        fill(Math.min(keyCount, PART), true);
        fill(Math.min(keyCount, PART), false);
    }

    /** Makes and fills a filter; nanoseconds a key, without the making of the keys. */
    private double fill(int count, boolean isBulk) {
        // The filter before must not be in memory twice.
        filter = null;
        keyFilter = null;
        FilterSpec spec = FilterSpec.of(count, fpp);
        StoredHashes stored =
                contender.isBoundToStore() ? RehashableMemoryHashes.of(hashes(count)) : StoredHashes.none();
        if (contender.isInsertable()) {
            return insert(spec, stored, count, isBulk);
        }
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = key(i);
        }
        long start = ProcessorClock.nanos();
        if (contender.takesHashes()) {
            for (int i = 0; i < count; i++) {
                numbers[i] = HASHER.hash(numbers[i]);
            }
        }
        take(contender.fill(spec, stored, numbers));
        return (ProcessorClock.nanos() - start) / (double) count;
    }

    private double insert(FilterSpec spec, StoredHashes stored, int count, boolean isBulk) {
        long[] keys = new long[4 * CHUNK];
        long start = ProcessorClock.nanos();
        LongKeyFilter.Insertable empty =
                Filters.of(contender.empty(spec, stored), HASHER).asInsertable();
        long taken = ProcessorClock.nanos() - start;
        for (int from = 0; from < count; from += keys.length) {
            int now = Math.min(keys.length, count - from);
            for (int i = 0; i < now; i++) {
                keys[i] = key(from + i);
            }
            start = ProcessorClock.nanos();
            if (isBulk) {
                empty.addAll(keys, 0, now);
            } else {
                answers += loop.add(empty, keys, 0, now);
            }
            taken += ProcessorClock.nanos() - start;
        }
        take(empty.hashFilter());
        return taken / (double) count;
    }

    private void take(MembershipFilter filled) {
        filter = filled;
        keyFilter = contender.takesHashes() ? Filters.of(filled, HASHER) : null;
    }

    private static long[] hashes(int count) {
        long[] hashes = new long[count];
        for (int i = 0; i < count; i++) {
            hashes[i] = HASHER.hash(key(i));
        }
        return hashes;
    }

    private double time(String request, int part) {
        chunks(request, (part * PART + SAMPLE - LEAD_IN) % SAMPLE, LEAD_IN);
        double[] slices = new double[PART / CHUNK];
        for (int i = 0; i < slices.length; i++) {
            long start = System.nanoTime();
            chunks(request, part * PART + i * CHUNK, CHUNK);
            slices[i] = (System.nanoTime() - start) / (double) CHUNK;
        }
        Arrays.sort(slices);
        return slices[slices.length / 4];
    }

    private void chunks(String request, int from, int count) {
        boolean isBulk = request.equals("bulk");
        long[] keys = request.equals("hit") ? hits : misses;
        for (int at = from; at < from + count; at += CHUNK) {
            answers += isBulk ? bulk(keys, at) : single(keys, at);
        }
    }

    private int single(long[] keys, int from) {
        return keyFilter == null ? loop.single(filter(), keys, from, CHUNK) : loop.single(keyFilter, keys, from, CHUNK);
    }

    private int bulk(long[] keys, int from) {
        return keyFilter == null
                ? loop.bulk(filter(), keys, from, CHUNK, result)
                : loop.bulk(keyFilter, keys, from, CHUNK, result);
    }

    /** Asks for other keys, each once, and repairs; the share of false positives. */
    private double age(int queriesPerKey) {
        AdaptiveFilter adaptive = (AdaptiveFilter) filter();
        long queries = (long) queriesPerKey * keyCount;
        long wrong = 0;
        for (long i = 0; i < queries; i++) {
            long hash = HASHER.hash(key(FIRST_OF_AGEING + i));
            if (adaptive.mightContainHash(hash)) {
                wrong++;
                adaptive.repairHash(hash);
            }
        }
        for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
            chunks("miss", 0, SAMPLE);
            chunks("hit", 0, SAMPLE);
        }
        return wrong / (double) queries;
    }
}
