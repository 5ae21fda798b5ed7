package dev.besom.guard;

import dev.besom.hash.KeyHasher;
import dev.besom.testkit.KilledWork;
import java.io.IOException;
import java.nio.file.Path;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * The process that {@link JdbcCrashTest} kills: works with a guard over a table of a database.
 *
 * @param isLasting whether the database is another process's, which has all that was acknowledged. One in this process, in a
 *     file, writes a moment after it has said so; then all that has to be there is what the database has
 */
record JdbcVictim(Guard<Long, Long> guard, Path file, boolean isLasting) implements KilledWork {

    /** The port of the database's server, if there is one. */
    static final String PORT = "besom.test.port";

    /** Takes the folder, the first number to put, and a seed. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Integer port = Integer.getInteger(PORT);
        String url = port == null
                ? "jdbc:h2:file:" + folder.resolve("db") + ";WRITE_DELAY=0"
                : "jdbc:h2:tcp://localhost:" + port + "/mem:" + folder.getFileName();
        JdbcConnectionPool pool = JdbcConnectionPool.create(url + ";DB_CLOSE_DELAY=-1", "", "");
        JdbcDictionary<Long, Long> dictionary =
                JdbcDictionary.create(pool, JdbcTable.of("killed", JdbcType.longs(), JdbcType.longs()));
        Path file = folder.resolve("guard.besom");
        Guard<Long, Long> guard = Guard.builder(dictionary, KeyHasher.longs())
                .snapshot(file)
                .shards(4)
                .open();
        new JdbcVictim(guard, file, port != null).run(args);
    }

    @Override
    public boolean isRight(long key, boolean isAcknowledged) {
        Long value = guard.get(key);
        return value == null
                ? !(isAcknowledged && isLasting) && !guard.dictionary().contains(key)
                : value == key;
    }

    @Override
    public boolean isRightInNumber() {
        return guard.count() == guard.dictionary().hashes().count();
    }

    @Override
    public void put(long key) {
        guard.put(key, key);
    }

    @Override
    public void remove(long key) {
        guard.remove(key);
    }

    @Override
    public void ask(long missing) {
        guard.get(missing);
    }

    @Override
    public void snapshot() throws IOException {
        guard.snapshot(file);
    }
}
