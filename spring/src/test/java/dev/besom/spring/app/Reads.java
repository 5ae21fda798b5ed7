package dev.besom.spring.app;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.resource.jdbc.spi.StatementInspector;

/** Counts the queries that reach the database by way of entities. */
public final class Reads implements StatementInspector {

    private final transient AtomicInteger count = new AtomicInteger();

    @Override
    public String inspect(String sql) {
        if (sql.toLowerCase(Locale.ROOT).startsWith("select")) {
            count.incrementAndGet();
        }
        return sql;
    }

    /** How many there were since the last call. */
    public int take() {
        return count.getAndSet(0);
    }
}
