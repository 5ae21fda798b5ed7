package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.filters.FilterFile;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files that were written once and must be written and read the same way for ever: {@code golden/<name>-v1.besom} among
 * the test's resources.
 *
 * <p>A test run with {@code -Dbesom.golden.write=true} writes the files of kinds that have none yet. A file that is
 * there is never replaced: delete it by hand, for a kind that no release has had; change the format's version otherwise.
 */
public final class GoldenFile {

    private static final String VERSION = "v1";
    private static final Path FOLDER = Path.of("src", "test", "resources", "golden");
    private static final HasherStamp STAMP = new HasherStamp("golden", 0x0123456789ABCDEFL);
    private static final FilterSpec SPEC = FilterSpec.of(100, 0.01).withSeed(42);
    private static final long KEYS_SEED = 20_240_229;

    private GoldenFile() {}

    /** The kind, with a hundred fixed keys in it, has the bytes of its golden file, and is read from it. */
    public static void check(Kind kind) throws IOException {
        check(kind.name(), Subject.of(kind, SPEC));
    }

    /** The same with an option set, whose golden file has option and value in its name. */
    public static void check(Kind kind, String option, String value) throws IOException {
        check(kind.name() + "-" + option + "-" + value, Subject.of(kind, SPEC.with(option, value)));
    }

    private static void check(String name, Subject subject) throws IOException {
        Filled filled = subject.filledWith(HashStream.stored(KEYS_SEED).next((int) SPEC.capacity()));
        check(name, filled.persistent(), filled.stored());
    }

    /** The filter has the bytes of the golden file of that name, and the file is read as the same filter. */
    public static void check(String name, PersistentFilter filter, HashMultiset stored) throws IOException {
        String resource = name + "-" + VERSION + ".besom";
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Filters.writeHashFilter(filter, STAMP, out);
        Path source = FOLDER.resolve(resource);
        if (Boolean.getBoolean("besom.golden.write") && !Files.exists(source)) {
            Files.createDirectories(FOLDER);
            Files.write(source, out.toByteArray());
        }
        assertThat(out.toByteArray()).as("bytes of %s", resource).isEqualTo(bytesOf(source));
        State.of(filter).assertStillThatOf(read(name, stored));
    }

    /** The filter that is read from the golden file of that name, with all its keys. */
    public static PersistentFilter read(String name, HashMultiset stored) throws IOException {
        byte[] golden = bytesOf(FOLDER.resolve(name + "-" + VERSION + ".besom"));
        FilterFile file = Filters.readHashFilter(new ByteArrayInputStream(golden), stored);
        assertThat(file.hasher()).isEqualTo(STAMP);
        Filled.assertAllFound(file.filter(), stored.toArray());
        return file.filter();
    }

    private static byte[] bytesOf(Path source) throws IOException {
        if (!Files.exists(source)) {
            throw new AssertionError("no golden file " + source + "; run the test with -Dbesom.golden.write=true");
        }
        try (InputStream in = Files.newInputStream(source)) {
            return in.readAllBytes();
        }
    }
}
