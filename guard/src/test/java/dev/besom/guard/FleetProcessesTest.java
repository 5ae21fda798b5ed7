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
import java.util.Arrays;
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
 * A fleet of real processes before PostgreSQL as its own process. Members put, remove, put again and look for each other's keys, are
 * killed, stopped for longer than their lease and continued, join and leave; the network of one stands still, by a proxy that is
 * stopped, or its sessions do; their wall clocks are set to other times; the database is killed and started again. No key is
 * denied after its put was acknowledged, by any member, at any time.
 */
@Tag("slow")
class FleetProcessesTest {

    private static final long LEASE_MILLIS = Long.getLong("besom.fleet.lease", 1_000);
    private static final long THOROUGH_LOOKUPS = Long.getLong("besom.fleet.lookups", 1_000_000);

    /** So many keys are stored before old ones are removed. */
    private static final int KEPT = 1_000;

    private static final int REMOVED_AT_ONCE = 50;

    /** So many keys at most are looked up one by one. */
    private static final int FEW = 50;

    @TempDir
    Path folder;

    private @Nullable EmbeddedPostgres postgres;
    private int port;
    private @Nullable Talk proxy;
    private int proxyPort;
    private final List<Member> members = new ArrayList<>();
    private final Set<Long> uncertain = new HashSet<>();
    private int started;
    private long nextKey;
    private long firstKey;
    private int mostAtOnce;

    /** Lookups of keys that another process has just put; all others are not counted. */
    private long lookups;

    /** A process, and the way to talk to it. */
    private static final class Talk {
        private final Process process;
        private final BufferedReader out;
        private final BufferedWriter in;

        Talk(List<String> command) throws IOException {
            List<String> all = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xmx64m",
                    "-cp",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
            all.addAll(command);
            this.process = new ProcessBuilder(all)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
            this.in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII));
        }

        String read() throws IOException {
            return String.valueOf(out.readLine());
        }

        void say(String line) throws IOException {
            in.write(line + "\n");
            in.flush();
        }

        void signal(String name) throws IOException, InterruptedException {
            assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        }

        void end() throws InterruptedException {
            process.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
        }
    }

    private record Member(String name, Talk talk, boolean isBehindProxy) {

        String tell(String line) throws IOException {
            talk.say(line);
            return talk.read();
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

    private void startProxy() throws IOException {
        Talk started = new Talk(List.of(ProxyProcess.class.getName(), Integer.toString(port)));
        proxy = started;
        proxyPort = Integer.parseInt(started.read());
    }

    /** Starts a member; one of them is behind the proxy. */
    private Member start() throws IOException {
        String name = "member" + started++;
        boolean isBehindProxy = members.stream().noneMatch(Member::isBehindProxy);
        String url = "jdbc:postgresql://localhost:" + (isBehindProxy ? proxyPort : port)
                + "/postgres?user=postgres&password=postgres&socketTimeout=10&ApplicationName=" + name;
        Talk talk = new Talk(List.of(FleetProcess.class.getName(), url, Long.toString(LEASE_MILLIS)));
        Member member = new Member(name, talk, isBehindProxy);
        members.add(member);
        return member;
    }

    private Member join() throws IOException {
        Member member = start();
        assertThat(member.talk().read()).isEqualTo("ready");
        return member;
    }

    @Test
    void noMemberDeniesAKeyWhosePutWasAcknowledged() throws Exception {
        mostAtOnce = FEW;
        run(3, 200, 5);
    }

    @Test
    @Tag("thorough")
    void noMemberDeniesAKeyInAMillionLookups() throws Exception {
        mostAtOnce = 5_000;
        run(5, THOROUGH_LOOKUPS, (int) Math.max(6, THOROUGH_LOOKUPS / 20_000));
    }

    private void run(int memberCount, long wantedLookups, int events) throws Exception {
        startDatabase();
        try {
            startProxy();
            for (int i = 0; i < memberCount; i++) {
                start();
            }
            for (Member member : members) {
                assertThat(member.talk().read()).isEqualTo("ready");
            }
            SplittableRandom random = new SplittableRandom(Seeds.of(0x666c656574L, events));
            for (int event = 0; event < events; event++) {
                long until = wantedLookups * (event + 1) / events;
                while (lookups < until) {
                    putAndFind(random, members, 1 + random.nextInt(random.nextBoolean() ? FEW : mostAtOnce));
                }
                happen(event, random);
                if (mostAtOnce > FEW) {
                    System.out.println("besom: " + lookups + " lookups, " + (event + 1) + " events");
                }
            }
            long answered = 0;
            for (Member member : members) {
                answered += Long.parseLong(member.tell("answered 0 0"));
            }
            assertThat(answered).as("lookups that the filters answered").isPositive();
            System.out.println("besom: " + lookups
                    + " lookups of keys whose put another process had just acknowledged, 0 hidden, " + events
                    + " events, " + uncertain.size() + " puts that failed, " + answered + " answered by filters");
        } finally {
            for (Member member : members) {
                member.talk().end();
            }
            if (proxy != null) {
                proxy.end();
            }
            if (postgres != null) {
                postgres.close();
            }
        }
    }

    /**
     * One member puts keys, and the others look for them at once. Then old ones are removed, and at times put again by another
     * member; and missing ones are looked up.
     */
    private void putAndFind(SplittableRandom random, List<Member> awake, int count) throws IOException {
        Member writer = awake.get(random.nextInt(awake.size()));
        long first = nextKey;
        nextKey += count;
        putAndFind(random, awake, writer, first, nextKey);
        // These are not there: the filters answer most of them.
        writer.tell("find " + (nextKey + 1_000_000) + " " + (nextKey + 1_000_020));
        if (nextKey - firstKey > KEPT) {
            long end = firstKey + REMOVED_AT_ONCE;
            boolean isRemoved = writer.tell("remove " + firstKey + " " + end).equals("removed");
            if (isRemoved && random.nextBoolean()) {
                putAndFind(random, awake, awake.get(random.nextInt(awake.size())), firstKey, end);
            } else {
                // A removal that failed may still happen.
                firstKey = end;
            }
        }
        if (random.nextInt(10) == 0) {
            findAll(awake.get(random.nextInt(awake.size())));
        }
    }

    private void putAndFind(SplittableRandom random, List<Member> awake, Member writer, long first, long end)
            throws IOException {
        boolean isStored = writer.tell("put " + first + " " + end).equals("stored");
        if (!isStored) {
            for (long key = first; key < end; key++) {
                uncertain.add(key);
            }
        }
        List<Member> others =
                awake.stream().filter(member -> !member.equals(writer)).toList();
        find(random, others, first, end);
        if (isStored) {
            lookups += (end - first) * others.size();
        }
    }

    /** Members look for keys at the same time. */
    private void find(SplittableRandom random, List<Member> asked, long first, long end) throws IOException {
        for (Member member : asked) {
            boolean isOneByOne = end - first <= FEW && random.nextBoolean();
            member.talk().say((isOneByOne ? "find " : "findAll ") + first + " " + end);
        }
        for (Member member : asked) {
            checkFound(member);
        }
    }

    private void checkFound(Member member) throws IOException {
        String[] said = member.talk().read().split(" ", -1);
        assertThat(said[0]).as(member.name()).isEqualTo("missing");
        List<Long> missing = Arrays.stream(said).skip(1).map(Long::parseLong).toList();
        assertThat(uncertain)
                .as("keys that may not be stored, among which are the missing ones")
                .containsAll(missing);
    }

    /** What was stored first and last, at one member. */
    private void findAll(Member member) throws IOException {
        long middle = Math.max(firstKey, nextKey - KEPT);
        member.talk().say("findAll " + firstKey + " " + Math.min(firstKey + KEPT, middle));
        checkFound(member);
        member.talk().say("findAll " + middle + " " + nextKey);
        checkFound(member);
    }

    private List<Member> without(Member left) {
        return members.stream().filter(member -> !member.equals(left)).toList();
    }

    private void happen(int event, SplittableRandom random) throws Exception {
        long millis = random.nextLong(6 * LEASE_MILLIS) - 3 * LEASE_MILLIS;
        assertThat(members.get(random.nextInt(members.size())).tell("jump " + millis + " 0"))
                .isEqualTo("jumped");
        switch (event % 6) {
            case 0 -> killAndReplace(random);
            case 1 -> stopAndContinue(random);
            case 2 -> stopProxy(random);
            case 3 -> leaveAndJoin(random);
            case 4 -> restartDatabase(random);
            default -> stopSessions(random);
        }
    }

    /** A member hears of nothing, and what it sends arrives late. What it answers meanwhile it answers from its filter. */
    private void stopProxy(SplittableRandom random) throws Exception {
        Member deaf = members.stream().filter(Member::isBehindProxy).findFirst().orElseThrow();
        Talk network = Objects.requireNonNull(proxy);
        long first = nextKey;
        network.signal("STOP");
        try {
            for (int i = 0; i < 3; i++) {
                putAndFind(random, without(deaf), 10);
            }
            // Its filter is read now, and its store when the network goes on.
            deaf.talk().say("findAll " + first + " " + nextKey);
            Thread.sleep(20);
        } finally {
            network.signal("CONT");
        }
        checkFound(deaf);
        findAll(deaf);
        putAndFind(random, members, 5);
    }

    /** What the database does for a member's own sessions stands still, so it hears of nothing and renews nothing. */
    private void stopSessions(SplittableRandom random) throws Exception {
        Member deaf = members.get(random.nextInt(members.size()));
        List<String> sessions = new ArrayList<>();
        try (Connection connection =
                        Objects.requireNonNull(postgres).getPostgresDatabase().getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT pid FROM pg_stat_activity WHERE application_name = ? AND query LIKE '%besom_%'")) {
            statement.setString(1, deaf.name());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sessions.add(rows.getString(1));
                }
            }
        }
        try {
            signal("STOP", sessions);
            for (int i = 0; i < 3; i++) {
                putAndFind(random, without(deaf), 10);
                findAll(deaf);
            }
        } finally {
            signal("CONT", sessions);
        }
        findAll(deaf);
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
        victim.talk().say("put " + nextKey + " " + (nextKey + 30));
        for (int i = 0; i < 30; i++) {
            uncertain.add(nextKey++);
        }
        Thread.sleep(random.nextInt(10));
        victim.talk().process.destroyForcibly().waitFor();
        putAndFind(random, members, 5);
        findAll(join());
    }

    /** What is stored while a member sleeps is found the moment that it wakes. */
    private void stopAndContinue(SplittableRandom random) throws Exception {
        Member sleeper = members.get(random.nextInt(members.size()));
        long first = nextKey;
        sleeper.talk().signal("STOP");
        try {
            for (int i = 0; i < 3; i++) {
                putAndFind(random, without(sleeper), 10);
            }
            sleeper.talk().say("findAll " + first + " " + nextKey);
        } finally {
            sleeper.talk().signal("CONT");
        }
        checkFound(sleeper);
        findAll(sleeper);
        putAndFind(random, members, 5);
    }

    private void leaveAndJoin(SplittableRandom random) throws Exception {
        Member leaver = members.remove(random.nextInt(members.size()));
        leaver.talk().in.close();
        Member joining = start();
        putAndFind(random, without(joining), 10);
        assertThat(joining.talk().read()).isEqualTo("ready");
        findAll(joining);
        assertThat(leaver.talk().process.waitFor(1, TimeUnit.MINUTES)).isTrue();
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
            findAll(member);
        }
    }
}
