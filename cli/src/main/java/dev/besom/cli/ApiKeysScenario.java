package dev.besom.cli;

import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A service in three processes that checks API keys against a table. Clients send bursts of the same wrong key. Then new keys are
 * made, each in one process, and used in all of them at once; a client has tried each before, as clients do that are set up
 * first.
 */
final class ApiKeysScenario {

    static final int PROCESSES = 3;
    static final int NEW_KEYS = 20;
    static final int DEFAULT_KEYS = 10_000;

    /** Lookups of one process, for each way. */
    static final int DEFAULT_LOOKUPS = 6_000;

    private static final int BATCH = 1_000;

    /** New keys are those of another stream. */
    private static final long NEW = 0x6E6577L;

    /** How long a process that was told to end may take. */
    private static final long END_SECONDS = 10;

    private final String url;
    private final Size size;
    private final Runnable step;
    private final String table = "besom_demo_keys_" + ProcessHandle.current().pid();

    /** How many new keys there were; each way has others, as they stay. */
    private long made;

    /**
     * How much there is to do.
     *
     * @param keys stored keys
     * @param lookups of each process, for each way
     * @param seed what keys and lookups are drawn from
     */
    record Size(int keys, int lookups, long seed) {}

    /**
     * What was counted for one way.
     *
     * @param newKeysRefused uses of a key right after it was made that were refused
     * @param nanosToMake of all new keys
     */
    record Outcome(ApiKeys.Way way, Lookups lookups, long newKeysRefused, long nanosToMake) {}

    /**
     * Lookups of all processes.
     *
     * @param found how many found a key
     * @param reads of the table
     * @param wasted those that found nothing, and those of repairs
     * @param nanos that they took
     */
    record Lookups(long found, long reads, long wasted, long nanos) {}

    /**
     * A scenario.
     *
     * @param step called after each of its parts, of which there are {@link #steps()}
     */
    ApiKeysScenario(String url, Size size, Runnable step) {
        this.url = url;
        this.size = size;
        this.step = step;
    }

    static int steps() {
        return 1 + ApiKeys.Way.values().length;
    }

    List<Outcome> run() throws IOException {
        try (UrlSource source = new UrlSource(url)) {
            try {
                fill(source);
                step.run();
                return compare(source);
            } finally {
                execute(source, "DROP TABLE IF EXISTS " + table);
            }
        } catch (SQLException | StoreException e) {
            throw new IOException("SQL: " + e.getMessage(), e);
        }
    }

    private void fill(UrlSource source) throws SQLException {
        execute(source, "CREATE TABLE " + table + " (api_key VARCHAR(40) PRIMARY KEY, owner VARCHAR(40) NOT NULL)");
        try (Connection connection = source.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("INSERT INTO " + table + " (api_key, owner) VALUES (?, ?)")) {
            for (int i = 0; i < size.keys(); i++) {
                statement.setString(1, ApiKeys.key(size.seed(), i));
                statement.setString(2, "owner " + i);
                statement.addBatch();
                if ((i + 1) % BATCH == 0) {
                    statement.executeBatch();
                }
            }
            statement.executeBatch();
        }
    }

    private static void execute(UrlSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<Outcome> compare(UrlSource source) throws IOException {
        List<Worker> workers = new ArrayList<>();
        Thread end = new Thread(() -> workers.forEach(Worker::kill));
        Runtime.getRuntime().addShutdownHook(end);
        try {
            for (int i = 0; i < PROCESSES; i++) {
                workers.add(new Worker(i));
            }
            List<Outcome> outcomes = new ArrayList<>();
            for (ApiKeys.Way way : ApiKeys.Way.values()) {
                if (way == ApiKeys.Way.GUARD_FLEET) {
                    // The keys that are there get their hashes before the first guard.
                    ApiKeys.store(source, table).backFill(KeyHasher.utf8(), (done, total) -> {});
                }
                outcomes.add(play(way, workers));
                step.run();
            }
            for (Worker worker : workers) {
                worker.end();
            }
            return outcomes;
        } finally {
            workers.forEach(Worker::kill);
            try {
                Runtime.getRuntime().removeShutdownHook(end);
            } catch (IllegalStateException e) {
                // The process ends, and the hook has run.
                workers.clear();
            }
        }
    }

    private Outcome play(ApiKeys.Way way, List<Worker> workers) throws IOException {
        all(workers, "open " + way.name());
        long[] sums = new long[4];
        for (String answer : all(workers, "check " + size.lookups())) {
            String[] numbers = answer.split(" ", -1);
            for (int i = 0; i < sums.length; i++) {
                sums[i] += Long.parseLong(numbers[i]);
            }
        }
        long refused = 0;
        long nanosToMake = 0;
        for (int i = 0; i < NEW_KEYS; i++) {
            String key = ApiKeys.key(size.seed() ^ NEW, made++);
            all(workers, "valid " + key);
            nanosToMake += Long.parseLong(workers.get(i % PROCESSES).ask("make " + key));
            refused += all(workers, "valid " + key).stream()
                    .filter(answer -> answer.equals("false"))
                    .count();
        }
        return new Outcome(way, new Lookups(sums[0], sums[1], sums[2], sums[3]), refused, nanosToMake);
    }

    /** Has all processes do something at the same time. */
    private static List<String> all(List<Worker> workers, String command) throws IOException {
        for (Worker worker : workers) {
            worker.tell(command);
        }
        List<String> answers = new ArrayList<>();
        for (Worker worker : workers) {
            answers.add(worker.answer());
        }
        return answers;
    }

    /** A process that checks keys. */
    private final class Worker {

        private final Process process;
        private final BufferedWriter commands;
        private final BufferedReader answers;

        Worker(int number) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:+UseSerialGC",
                            "-cp",
                            classPath(),
                            ApiKeysWorker.class.getName(),
                            url,
                            table,
                            String.valueOf(size.seed()),
                            String.valueOf(size.keys()),
                            String.valueOf(number))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        void tell(String command) throws IOException {
            commands.write(command + "\n");
            commands.flush();
        }

        String answer() throws IOException {
            String line = answers.readLine();
            if (line == null) {
                throw new IOException("a process of the scenario has ended early");
            }
            return line;
        }

        String ask(String command) throws IOException {
            tell(command);
            return answer();
        }

        void end() throws IOException {
            commands.close();
            try {
                if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    kill();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void kill() {
            process.destroyForcibly();
        }
    }

    private static String classPath() {
        return Stream.of("jdk.module.path", "java.class.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
