package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.LossyRemovalFilter;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** What the README and the other documents tell people to type is typed here. */
class DocumentsTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
    private static final Pattern PLACEHOLDER = Pattern.compile("(?<= )N(?= |$)");

    /** What a cell of the page of kinds says of a kind that can take more keys than planned and keep its rate. */
    private static final Set<String> GROWS = Set.of("yes", "by reading hashes again");

    @TempDir
    Path folder = Path.of("");

    @Test
    void everyCommandOfTheDocumentsIsUnderstood() throws IOException {
        List<Documents.CommandText> commands = new ArrayList<>();
        Documents.all().forEach((name, text) -> commands.addAll(Documents.commands(name, text)));

        assertThat(commands).hasSizeGreaterThan(20);
        for (Documents.CommandText command : commands) {
            String words = PLACEHOLDER.matcher(command.words()).replaceAll("1000");
            try {
                commandLine().parseArgs(words.split(" +", -1));
            } catch (MissingParameterException e) {
                assertThat(command.isWhole())
                        .as("%s: %s", command, e.getMessage())
                        .isFalse();
            } catch (ParameterException e) {
                throw new AssertionError(command + ": " + e.getMessage(), e);
            }
        }
    }

    private static CommandLine commandLine() {
        Console nowhere = new Console(
                new ByteArrayInputStream(new byte[0]),
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                false);
        return Main.commandLine(nowhere);
    }

    @Test
    void everyLinkLeadsToAFileAndAHeading() throws IOException {
        for (Map.Entry<String, String> document : Documents.all().entrySet()) {
            Path from = Documents.root().resolve(document.getKey());
            for (MatchResult link : LINK.matcher(document.getValue()).results().toList()) {
                Path to = link.group(1).isEmpty() ? from : from.resolveSibling(link.group(1));
                assertThat(to).as(document.getKey()).exists();
                if (link.group(2) != null) {
                    assertThat(Documents.anchors(Files.readString(to)))
                            .as("%s: %s", document.getKey(), link.group())
                            .contains(link.group(2));
                }
            }
        }
    }

    @Test
    void thePageOfKindsHasARowForEachAndSaysWhatItCanDo() throws IOException {
        Map<String, List<String>> rows = new TreeMap<>();
        text("docs/kinds.md")
                .lines()
                .dropWhile(line -> !line.startsWith("| kind | insert "))
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> line.startsWith("| `"))
                .forEach(line -> {
                    List<String> cells =
                            Stream.of(line.split("\\|", -1)).map(String::strip).toList();
                    rows.put(cells.get(1).replace("`", ""), cells.subList(2, cells.size()));
                });

        assertThat(rows)
                .containsOnlyKeys(Filters.kinds().stream().map(Kind::name).toList());
        Map<String, Object> measured = Json.parse(Shell.run("kinds", "--json").out());
        for (Object row : Json.array(measured.get("kinds"))) {
            Map<String, Object> fields = Json.object(row);
            Kind kind = Filters.kind(String.valueOf(fields.get("kind")));
            List<String> cells = rows.getOrDefault(kind.name(), List.of());
            assertThat(cells.get(0).equals("yes")).as(kind + ", insert").isEqualTo(kind.isInsertable());
            assertThat(cells.get(1).equals("yes")).as(kind + ", delete").isEqualTo(kind.isDeletable());
            assertThat(cells.get(1).startsWith("lossy"))
                    .as(kind + ", delete")
                    .isEqualTo(LossyRemovalFilter.class.isAssignableFrom(kind.type()));
            assertThat(GROWS.contains(cells.get(2))).as(kind + ", grow").isEqualTo(kind.isGrowable());
            assertThat(cells.get(3).equals("yes")).as(kind + ", merge").isEqualTo(kind.isMergeable());
            assertThat(cells.get(4).equals("provably"))
                    .as(kind + ", adaptive")
                    .isEqualTo(kind.adaptivity() == Kind.Adaptivity.PROVABLE);
            double bits = Double.parseDouble(cells.get(5).replaceFirst(";.*", ""));
            assertThat(Json.number(fields, "bitsPerKeyAt1Percent"))
                    .as(kind + ", bits a key")
                    .isBetween(bits - 0.06, bits + 0.06);
        }
    }

    @Test
    void theFormatOfEveryKindIsWrittenDown() throws IOException {
        String headings = text("docs/format.md")
                .lines()
                .filter(line -> line.startsWith("### "))
                .collect(Collectors.joining("\n"));
        for (Kind kind : Filters.kinds()) {
            assertThat(headings).containsPattern("[ ]" + kind.name() + "(,|$|\n)");
        }
    }

    @Test
    void theReadmeSaysWhatItsKindsCost() throws IOException {
        List<String> rows = text("README.md")
                .lines()
                .dropWhile(line -> !line.startsWith("| kind | take it when"))
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> line.startsWith("| `"))
                .toList();

        assertThat(rows).hasSize(6);
        String all = text("docs/kinds.md");
        for (String row : rows) {
            String[] cells = row.split(" *\\| *", -1);
            assertThat(all)
                    .containsPattern("(?m)^\\| " + cells[1] + " \\|.*\\| "
                            + Pattern.quote(cells[3].replaceFirst(" .*", "")) + "[ ;]");
        }
    }

    @Test
    void theCoordinatesOfTheReadmeAreThoseOfTheBuild() throws IOException {
        String readme = text("README.md");
        String bom = text("bom/pom.xml");
        String coordinates = only(Documents.blocks(readme, "xml"));
        String version = bom.replaceFirst("(?s).*?<version>([^<]+)</version>.*", "$1");

        assertThat(coordinates)
                .contains("<artifactId>besom-bom</artifactId>\n      <version>" + version + "</version>")
                .contains("<artifactId>besom-guard</artifactId>");
        assertThat(bom).contains("<artifactId>besom-guard</artifactId>");
        Matcher install = Pattern.compile("mvn .* -pl (\\S+) -am").matcher(readme);
        assertThat(install.find()).isTrue();
        for (String module : install.group(1).split(",", -1)) {
            assertThat(Documents.root().resolve(module).resolve("pom.xml")).exists();
        }
    }

    @Test
    void theJavaOfTheReadmeRunsAndTheCommandLineReadsItsFiles() throws Exception {
        List<String> blocks = Documents.blocks(text("README.md"), "java");
        assertThat(blocks).hasSize(5);
        // The tests of the Spring module compare this page with code that runs.
        for (String line : blocks.get(3).lines().toList()) {
            assertThat(text("docs/guard.md")).contains(line);
        }

        try (Server server = Server.start()) {
            run(Map.of(
                    "Table",
                    wrap("Table", """
                            import java.util.Objects;

                            var source = SOURCE;
                            try (var connection = source.getConnection(); var statement = connection.createStatement()) {
                                statement.execute("CREATE TABLE users (email VARCHAR(200) PRIMARY KEY, name VARCHAR(200),"
                                        + " left_at TIMESTAMP)");
                                statement.execute("INSERT INTO users VALUES ('eve@example.org', 'Eve', NULL),"
                                        + " ('gone@example.org', 'Gone', CURRENT_TIMESTAMP)");
                            }
                            """.replace("SOURCE", server.source()), blocks.get(0) + """
                            try (var guard = Guard.over(JdbcStore.adopt(source, users), KeyHasher.utf8())) {
                                if (!Objects.equals(guard.get("eve@example.org"), "Eve")
                                        || !Objects.equals(guard.get("ada@example.org"), "Ada")
                                        || guard.get("gone@example.org") != null) {
                                    throw new AssertionError("hidden, or not");
                                }
                            }
                            """),
                    "Loader",
                    wrap("Loader", """
                            class Service {
                                final java.util.Set<String> names = new java.util.HashSet<>(java.util.Set.of("eve"));
                                java.util.Set<String> allNames() { return names; }
                                String find(String name) { return names.contains(name) ? name : null; }
                                void insert(String name) { names.add(name); }
                            }
                            var service = new Service();
                            """, blocks.get(1)),
                    "Cache",
                    wrap("Cache", """
                            import dev.besom.guard.*;
                            import dev.besom.guard.store.*;
                            import dev.besom.hash.*;

                            var guard = Guard.over(new MemoryStore<String, String>(), KeyHasher.utf8());
                            guard.put("ada", "Ada");
                            """, blocks.get(2)),
                    "Alone",
                    wrap("Alone", "", blocks.get(4))));
        }

        assertThat(Shell.runWith("besom\n", "query", folder.resolve("names.besom"), "-")
                        .out())
                .isEqualTo("maybe\tbesom\n");
        assertThat(Shell.runWith("42\n", "query", "--format", "long-text", folder.resolve("ids.besom"), "-")
                        .out())
                .isEqualTo("no\t42\n");
    }

    /** PostgreSQL where it starts, and H2 elsewhere: what the example says of SQL holds for both. */
    private record Server(String source, Closeable database) implements Closeable {

        static Server start() {
            try {
                EmbeddedPostgres postgres = EmbeddedPostgres.start();
                String url = postgres.getJdbcUrl("postgres", "postgres");
                return new Server(
                        "new org.postgresql.ds.PGSimpleDataSource(); source.setUrl(\"" + url + "\")", postgres);
            } catch (IOException | IllegalStateException e) {
                System.err.println("PostgreSQL does not start here, so the README's table is one of H2: " + e);
                return new Server(
                        "new org.h2.jdbcx.JdbcDataSource(); source.setURL(\"jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1\")",
                        () -> {});
            }
        }

        @Override
        public void close() throws IOException {
            database.close();
        }
    }

    @Test
    void theJavaOfTheOtherDocumentsRuns() throws Exception {
        String adaptive = only(Documents.blocks(text("docs/adaptivity.md"), "java"));
        List<String> kinds = Documents.blocks(text("docs/kinds.md"), "java");
        assertThat(kinds).hasSize(3);
        List<String> guards = Documents.blocks(text("docs/guard.md"), "java");
        // Two of them, the seventh and the eighth, are of Spring, whose module compares them with code that runs.
        assertThat(guards).hasSize(13);

        run(guardExamples(guards));
        run(Map.of(
                "Adaptive",
                wrap("Adaptive", """
                        import dev.besom.*;
                        import dev.besom.filters.*;
                        import dev.besom.guard.*;
                        import dev.besom.guard.local.*;
                        import dev.besom.guard.store.*;
                        import dev.besom.hash.*;

                        StoredHashes storedHashes = dev.besom.stored.MemoryHashes.of(1);
                        Loader<String, String> store = name -> null;
                        String key = "broom";
                        """, adaptive.replace("store.find(", "store.get(")),
                "Daisy",
                wrap("Daisy", """
                        import dev.besom.*;
                        import dev.besom.distribution.*;
                        import dev.besom.filters.*;
                        import dev.besom.spi.*;

                        int n = 1000;
                        var sampleOfStoredHashes = new java.util.SplittableRandom(1).longs(n);
                        var sampleOfMissedHashes = new java.util.SplittableRandom(2).longs(n);
                        """, kinds.get(1)),
                "Scored",
                wrap("Scored", """
                        import dev.besom.*;
                        import dev.besom.distribution.*;
                        import dev.besom.filters.*;
                        import dev.besom.spi.*;
                        import dev.besom.hash.*;
                        import java.util.*;

                        class Net {
                            double score(String url) { return url.length() / 10.0; }
                            long sizeInBits() { return 64; }
                        }
                        var net = new Net();
                        var examples = List.of("a", "besom", "a broom of twigs");
                        var someStored = List.of("a broom of twigs", "besoms and brooms");
                        var someAsked = List.of("a", "be", "besom");
                        int n = 1000;
                        """, kinds.get(2)),
                "Homes",
                wrap("Homes", """
                        import dev.besom.*;
                        import dev.besom.filters.*;
                        import dev.besom.hash.*;
                        import java.util.*;

                        """, kinds.get(0)),
                "Before",
                wrap("Before", """
                        import dev.besom.guard.*;
                        import dev.besom.guard.local.*;
                        import dev.besom.guard.store.*;
                        import dev.besom.hash.*;
                        import java.util.*;

                        var store = new MemoryStore<String, String>();
                        """, guards.get(0)),
                "Loaded",
                wrap("Loaded", """
                        import dev.besom.guard.*;
                        import dev.besom.guard.local.*;
                        import dev.besom.guard.store.*;
                        import dev.besom.hash.*;
                        import java.nio.file.Path;
                        import java.util.*;

                        record User(String name) {}
                        class Database {
                            final Map<String, User> users = new HashMap<>();
                            List<String> allUserNames() { return List.copyOf(users.keySet()); }
                            User findUser(String name) { return users.get(name); }
                            void insert(User user) { users.put(user.name(), user); }
                            void delete(String name) { users.remove(name); }
                        }
                        var db = new Database();
                        var ada = new User("ada");
                        """, guards.get(5)),
                "Cached",
                wrap("Cached", """
                        import com.github.benmanes.caffeine.cache.*;
                        import dev.besom.guard.*;
                        import dev.besom.guard.store.*;
                        import dev.besom.hash.*;

                        record User(String name) {}
                        class Database {
                            User findUser(String name) { return null; }
                        }
                        var db = new Database();
                        var guard = Guard.over(new MemoryStore<String, User>(), KeyHasher.utf8());
                        """, guards.get(6))));
    }

    private Map<String, String> guardExamples(List<String> guards) {
        String database = """
                import dev.besom.guard.*;
                import dev.besom.guard.jdbc.*;
                import dev.besom.hash.*;
                import java.lang.invoke.MethodHandles;
                import java.sql.*;
                import java.util.*;

                var source = new org.h2.jdbcx.JdbcDataSource();
                source.setURL("jdbc:h2:mem:NAME;DB_CLOSE_DELAY=-1");
                """;
        return Map.of(
                "Mapped",
                wrap("Mapped", """
                        import dev.besom.guard.*;
                        import dev.besom.guard.store.*;
                        import dev.besom.hash.*;
                        import java.util.*;

                        java.util.concurrent.Executor pool = Runnable::run;
                        var guard = Guard.over(new MemoryStore<String, String>(), KeyHasher.utf8());
                        guard.put("besom", "a broom of twigs");
                        """, guards.get(1)),
                "Tables",
                wrap("Tables", database.replace("NAME", "tables") + """
                        try (var connection = source.getConnection(); var statement = connection.createStatement()) {
                            statement.execute("CREATE TABLE \\"order\\" (id BIGINT PRIMARY KEY, state VARCHAR, gone TIMESTAMP)");
                        }
                        """, guards.get(2)),
                "Transaction",
                wrap(
                        "Transaction",
                        database.replace("NAME", "transaction") + """
                        var store = JdbcStore.create(source, JdbcTable.of("orders", JdbcType.longs(), JdbcType.text()));
                        var guard = Guard.over(store, KeyHasher.longs());
                        """,
                        guards.get(3).replace("journal(connection,", "System.err.print(") + """
                        if (!"paid".equals(guard.get(7L))) {
                            throw new AssertionError("hidden");
                        }
                        """),
                "Rocks",
                wrap("Rocks", """
                        import dev.besom.guard.*;
                        import dev.besom.hash.*;
                        import dev.besom.rocksdb.*;
                        import java.nio.file.Path;
                        import org.rocksdb.*;

                        RocksDB.loadLibrary();
                        """, guards.get(4)),
                "Fleet",
                wrap("Fleet", database.replace("NAME", "fleet"), guards.get(9)),
                "SessionKeys",
                wrap(
                        "SessionKeys",
                        database.replace("NAME", "sessions") + """
                        class Sessions {
                            final Set<String> ids = new HashSet<>(Set.of("s-0"));
                            Set<String> allIds() { return ids; }
                            String find(String id) { return ids.contains(id) ? id : null; }
                            void save(String id, String session) { ids.add(id); }
                            void delete(String id) { ids.remove(id); }
                        }
                        var sessions = new Sessions();
                        String session = "of ada";
                        """,
                        guards.get(10) + "{\n" + guards.get(11) + "guard.close();\n}\n"),
                "Feed",
                wrap("Feed", database.replace("NAME", "feed") + """
                        import java.time.Duration;

                        var store = JdbcStore.create(source, JdbcTable.of("tokens", JdbcType.text(), JdbcType.longs()));
                        """, guards.get(12) + """
                        guard.put("k-123", 7L);
                        if (!guard.containsKey("k-123")) {
                            throw new AssertionError("hidden");
                        }
                        guard.close();
                        """));
    }

    private static String text(String document) throws IOException {
        return Files.readString(Documents.root().resolve(document));
    }

    private static String only(List<String> blocks) {
        assertThat(blocks).hasSize(1);
        return blocks.get(0);
    }

    /** As somebody would paste it: imports on top, the rest into a method. Files go to the test's folder. */
    private String wrap(String name, String before, String code) {
        String whole = (before + code).replaceAll("Path\\.of\\(\"", "Path.of(\"" + folder + "/");
        String imports =
                whole.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
        String statements =
                whole.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
        return imports + "\npublic final class " + name
                + " {\n    public static void main(String[] arguments) throws Exception {\n" + statements
                + "\n    }\n}\n";
    }

    private void run(Map<String, String> classes) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-d",
                folder.toString(),
                "-cp",
                classPath().collect(Collectors.joining(File.pathSeparator))));
        for (Map.Entry<String, String> each : classes.entrySet()) {
            Path file = folder.resolve(each.getKey() + ".java");
            Files.writeString(file, each.getValue());
            arguments.add(file.toString());
        }
        StringWriter said = new StringWriter();
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        int code = javac.run(new PrintWriter(said), new PrintWriter(said), arguments.toArray(String[]::new));
        assertThat(code).as(said.toString()).isZero();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            for (String name : classes.keySet()) {
                loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            }
        }
    }

    /** Whatever this test runs on, modules and not. */
    private static Stream<String> classPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .flatMap(property -> Stream.of(System.getProperty(property, "").split(File.pathSeparator, -1)))
                .filter(entry -> !entry.isEmpty() && Files.exists(Path.of(entry)));
    }
}
