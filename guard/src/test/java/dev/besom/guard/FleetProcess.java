package dev.besom.guard;

import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.hash.KeyHasher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A member of a fleet as a process of its own. Does what it is told on standard input, one line at a time, and answers with one
 * line:
 *
 * <pre>
 *   put a b       stores the keys from a on, below b       "stored", or "failed" and why
 *   remove a b    removes them                             "removed", or "failed" and why
 *   find a b      looks them up one by one                 "missing" and those that are not there
 *   findAll a b   looks them up in bulk                    the same
 *   jump a 0      sets its wall clock a ms on, or back     "jumped"
 *   answered      how many lookups the filter answered     the number
 * </pre>
 */
public final class FleetProcess {

    private static final int TRIES = 100;
    private static final JumpingClock CLOCK = new JumpingClock();

    private FleetProcess() {}

    /** Takes the address of the database, and the lease in milliseconds. */
    public static void main(String[] args) throws IOException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(args[0]);
        StoreGuard<Long, Long> guard = Guard.builder(
                        JdbcStore.create(source, JdbcTable.of("crowd", JdbcType.longs(), JdbcType.longs())),
                        KeyHasher.longs())
                .shards(4)
                .contract(Contract.fleet(Duration.ofMillis(Long.parseLong(args[1]))))
                .clock(CLOCK)
                .open();
        say("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            say(
                    words[0].equals("answered")
                            ? Long.toString(guard.statistics().lookups().answeredByFilter())
                            : done(guard, words[0], Long.parseLong(words[1]), Long.parseLong(words[2])));
        }
        guard.close();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static String done(StoreGuard<Long, Long> guard, String what, long first, long end) {
        if (what.equals("jump")) {
            CLOCK.jump(first);
            return "jumped";
        }
        LongStream keys = LongStream.range(first, end);
        if (what.equals("find")) {
            return missing(keys.filter(key -> !answer(() -> guard.containsKey(key))));
        }
        if (what.equals("findAll")) {
            List<Long> all = keys.boxed().toList();
            Map<Long, Boolean> found = answer(() -> guard.containsAll(all));
            return missing(all.stream()
                    .filter(key -> !Boolean.TRUE.equals(found.get(key)))
                    .mapToLong(Long::longValue));
        }
        try {
            if (what.equals("remove")) {
                keys.forEach(guard::remove);
                return "removed";
            }
            Map<Long, Long> values = new HashMap<>();
            keys.forEach(key -> values.put(key, key));
            if (values.size() == 1) {
                guard.put(first, first);
            } else {
                guard.putAll(values);
            }
            return "stored";
        } catch (RuntimeException e) {
            return "failed " + e.toString().replace('\n', ' ');
        }
    }

    private static String missing(LongStream keys) {
        return "missing" + keys.mapToObj(key -> " " + key).collect(Collectors.joining());
    }

    /** A lookup that the filter does not answer needs the database, which may be away. */
    private static <T> T answer(Supplier<T> lookup) {
        for (int tries = 1; ; tries++) {
            try {
                return lookup.get();
            } catch (RuntimeException e) {
                if (tries == TRIES) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
