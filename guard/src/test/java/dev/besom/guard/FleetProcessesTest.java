package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.testkit.Seeds;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fleet of real processes before PostgreSQL as its own process. Members put, remove and look for each other's keys, are killed,
 * stopped for longer than their lease and continued, join and leave; the network of one stands still; the database is killed and
 * started again. No key is
 * denied after its put was acknowledged, by any member, at any time.
 */
@Tag("slow")
class FleetProcessesTest {

    private static final long LEASE_MILLIS = 1_000;
    private static final long THOROUGH_LOOKUPS = Long.getLong("besom.fleet.lookups", 1_000_000);

    @TempDir
    Path folder;

    private @Nullable EmbeddedPostgres postgres;
    private int port;
    private final List<Member> members = new ArrayList<>();
    private final Set<Long> uncertain = new HashSet<>();
    private int started;
    private long nextKey;
    private long firstKey;
    private long lookups;

    /** A process, and the way to talk to it. */
    private static final class Member {
        private final String name;
        private final Process process;
        private final BufferedReader out;
        private final BufferedWriter in;

        Member(String name, Process process) {
            this.name = name;
            this.process = process;
            this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
            this.in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII));
        }

        String read() throws IOException {
            return String.valueOf(out.readLine());
        }

        String tell(String line) throws IOException {
            in.write(line + "\n");
            in.flush();
            return read();
        }

        void signal(String name) throws IOException, InterruptedException {
            assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        }
    }

    private void startDatabase() {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setDataDirectory(folder.resolve("data"))
                    .setCleanDataDirectory(false)
                    // A server that is killed keeps what it has acknowledged; the default here is that it does not.
                    .setServerConfig("synchronous_commit", "on")
                    .setOverrideWorkingDirectory(
                            Files.createDirectories(folder.resolve("work")).toFile());
            if (port != 0) {
                builder.setPort(port);
            }
            EmbeddedPostgres started = builder.start();
            postgres = started;
            port = started.getPort();
        } catch (IOException | IllegalStateException e) {
            System.err.println("SKIPPED: PostgreSQL does not start here, so nothing is tested on it: " + e);
            Assumptions.abort("PostgreSQL does not start: " + e);
        }
    }

    private Member start() throws IOException {
        String name = "member" + started++;
        String url = "jdbc:postgresql://localhost:" + port
                + "/postgres?user=postgres&password=postgres&socketTimeout=10&ApplicationName=" + name;
        Member member = new Member(
                name,
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Xmx64m",
                                "-cp",
                                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                                FleetProcess.class.getName(),
                                url,
                                Long.toString(LEASE_MILLIS))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
        members.add(member);
        return member;
    }

    private Member join() throws IOException {
        Member member = start();
        assertThat(member.read()).isEqualTo("ready");
        return member;
    }

    @Test
    void noMemberDeniesAKeyWhosePutWasAcknowledged() throws Exception {
        run(200, 5);
    }

    @Test
    @Tag("thorough")
    void noMemberDeniesAKeyInAMillionLookups() throws Exception {
        run(THOROUGH_LOOKUPS, (int) Math.max(5, THOROUGH_LOOKUPS / 5_000));
    }

    private void run(long wantedLookups, int events) throws Exception {
        startDatabase();
        try {
            for (int i = 0; i < 3; i++) {
                start();
            }
            for (Member member : members) {
                assertThat(member.read()).isEqualTo("ready");
            }
            SplittableRandom random = new SplittableRandom(Seeds.of(0x666c656574L, events));
            long lookupsBetween = wantedLookups / events;
            for (int event = 0; event < events; event++) {
                long until = lookups + lookupsBetween;
                while (lookups < until) {
                    putAndFind(random, members, 1 + random.nextInt(40));
                }
                happen(event, random);
            }
            long answered = 0;
            for (Member member : members) {
                answered += Long.parseLong(member.tell("answered 0 0"));
            }
            assertThat(answered).as("lookups that the filters answered").isPositive();
            System.out.println("besom: " + lookups + " lookups of acknowledged keys in a fleet, " + events + " events");
        } finally {
            for (Member member : members) {
                member.process.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
            }
            if (postgres != null) {
                postgres.close();
            }
        }
    }

    /** One member puts keys, and the others look for them; now and then older ones are removed, and missing ones looked up. */
    private void putAndFind(SplittableRandom random, List<Member> awake, int count) throws IOException {
        Member writer = awake.get(random.nextInt(awake.size()));
        long first = nextKey;
        nextKey += count;
        String said = writer.tell("put " + first + " " + nextKey);
        if (!said.equals("stored")) {
            for (long key = first; key < nextKey; key++) {
                uncertain.add(key);
            }
        }
        for (Member member : awake) {
            if (member != writer || random.nextInt(8) == 0) {
                find(member, first, nextKey);
            }
        }
        // Most of these are not there: the filters answer them.
        writer.tell("find " + (nextKey + 1_000_000) + " " + (nextKey + 1_000_020));
        if (nextKey - firstKey > 1000) {
            long end = firstKey + 200;
            writer.tell("remove " + firstKey + " " + end);
            firstKey = end;
        }
        if (random.nextInt(10) == 0) {
            find(awake.get(random.nextInt(awake.size())), firstKey, nextKey);
        }
    }

    private void find(Member member, long first, long end) throws IOException {
        String[] said = member.tell("find " + first + " " + end).split(" ", -1);
        assertThat(said[0]).isEqualTo("missing");
        for (int i = 1; i < said.length; i++) {
            assertThat(uncertain)
                    .as("keys that may not be stored, of which one is missing")
                    .contains(Long.parseLong(said[i]));
        }
        lookups += end - first;
    }

    private void happen(int event, SplittableRandom random) throws Exception {
        switch (event % 5) {
            case 0 -> killAndReplace(random);
            case 1 -> stopAndContinue(random);
            case 2 -> pauseNetwork(random);
            case 3 -> leaveAndJoin(random);
            default -> restartDatabase(random);
        }
    }

    /** What the database does for a member's own session stands still, so it hears of nothing and renews nothing. */
    private void pauseNetwork(SplittableRandom random) throws Exception {
        Member deaf = members.get(random.nextInt(members.size()));
        List<Member> others = members.stream().filter(member -> member != deaf).toList();
        List<String> sessions = new ArrayList<>();
        try (Connection connection =
                        Objects.requireNonNull(postgres).getPostgresDatabase().getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT pid FROM pg_stat_activity WHERE application_name = ? AND query LIKE '%besom_%'")) {
            statement.setString(1, deaf.name);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sessions.add(rows.getString(1));
                }
            }
        }
        try {
            signal("STOP", sessions);
            for (int i = 0; i < 3; i++) {
                putAndFind(random, others, 10);
                find(deaf, firstKey, nextKey);
            }
        } finally {
            signal("CONT", sessions);
        }
        find(deaf, firstKey, nextKey);
        putAndFind(random, members, 5);
    }

    private static void signal(String name, List<String> pids) throws Exception {
        for (String pid : pids) {
            // One that has ended meanwhile is not there to be told.
            new ProcessBuilder("kill", "-" + name, pid)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    private void killAndReplace(SplittableRandom random) throws Exception {
        Member victim = members.remove(random.nextInt(members.size()));
        // In the midst of a put.
        victim.in.write("put " + nextKey + " " + (nextKey + 30) + "\n");
        victim.in.flush();
        for (int i = 0; i < 30; i++) {
            uncertain.add(nextKey++);
        }
        Thread.sleep(random.nextInt(10));
        victim.process.destroyForcibly().waitFor();
        putAndFind(random, members, 5);
        Member joined = join();
        find(joined, firstKey, nextKey);
    }

    /** What is stored while a member sleeps is found the moment that it wakes. */
    private void stopAndContinue(SplittableRandom random) throws Exception {
        Member sleeper = members.get(random.nextInt(members.size()));
        List<Member> awake =
                members.stream().filter(member -> member != sleeper).toList();
        sleeper.signal("STOP");
        try {
            for (int i = 0; i < 3; i++) {
                putAndFind(random, awake, 10);
            }
        } finally {
            sleeper.signal("CONT");
        }
        find(sleeper, firstKey, nextKey);
        putAndFind(random, members, 5);
    }

    private void leaveAndJoin(SplittableRandom random) throws Exception {
        Member leaver = members.remove(random.nextInt(members.size()));
        leaver.in.close();
        Member joining = start();
        putAndFind(random, members.subList(0, members.size() - 1), 10);
        assertThat(joining.read()).isEqualTo("ready");
        find(joining, firstKey, nextKey);
        assertThat(leaver.process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    private void restartDatabase(SplittableRandom random) throws Exception {
        String pid = Files.readAllLines(folder.resolve("data").resolve("postmaster.pid"))
                .get(0)
                .strip();
        assertThat(new ProcessBuilder("kill", "-QUIT", pid).start().waitFor()).isZero();
        ProcessHandle.of(Long.parseLong(pid))
                .ifPresent(server -> server.onExit().join());
        Objects.requireNonNull(postgres).close();
        startDatabase();
        putAndFind(random, members, 5);
        for (Member member : members) {
            find(member, firstKey, nextKey);
        }
    }
}
