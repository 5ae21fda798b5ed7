package dev.besom.lab.advice;

import dev.besom.hash.KeyHasher;
import dev.besom.lab.workload.KeyList;
import dev.besom.lab.workload.KeySource;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Logs of real names that every machine with a JDK and this project has, in the order in which they really come. What they hold
 * depends on the JDK; what is promised of them must not.
 */
final class RealLogs {

    private static final KeyHasher<CharSequence> HASHER = KeyHasher.utf8();
    private static final Pattern WORD = Pattern.compile("[a-z]+");

    /** As many tell what there is to tell. */
    private static final int MOST_QUERIES = 40_000;

    private RealLogs() {}

    /** Keys that are stored, and a log of lookups. */
    record Log(String name, KeySource keys, KeySource queries) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** As a class loader looks classes up: those of one module are stored, and all that two others refer to are asked for. */
    static Log classesByReference() {
        List<String> asked = new ArrayList<>();
        asked.addAll(constants("java.desktop", true));
        asked.addAll(constants("java.xml", true));
        return log("references to classes", classNames("java.base"), asked);
    }

    /** Names of members: those of one module are stored, and those of another are asked for. */
    static Log membersByName() {
        return log("names of members", Set.copyOf(constants("java.xml", false)), constants("java.desktop", false));
    }

    /** Words: those of one page of the documents are stored, and those of all are asked for. */
    static Log words() {
        Path documents = Path.of("..", "docs");
        try (Stream<Path> pages = Files.list(documents)) {
            List<String> asked = new ArrayList<>();
            for (Path page : pages.filter(each -> each.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                asked.addAll(words(page));
            }
            return log("words", new LinkedHashSet<>(words(documents.resolve("guard.md"))), asked);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> words(Path page) throws IOException {
        return WORD.matcher(Files.readString(page).toLowerCase(Locale.ROOT))
                .results()
                .map(match -> match.group())
                .toList();
    }

    private static Log log(String name, Set<String> keys, List<String> all) {
        List<String> queries = all.subList(0, Math.min(MOST_QUERIES, all.size()));
        return new Log(
                name,
                KeyList.of(
                        name + ": keys", keys.stream().mapToLong(HASHER::hash).toArray()),
                KeyList.of(name, queries.stream().mapToLong(HASHER::hash).toArray()));
    }

    private static Set<String> classNames(String module) {
        Set<String> names = new LinkedHashSet<>();
        Path root = modules().getPath("/modules", module);
        classFiles(root).forEach(file -> {
            String name = root.relativize(file).toString();
            names.add(name.substring(0, name.length() - ".class".length()));
        });
        return names;
    }

    private static List<String> constants(String module, boolean areClasses) {
        List<String> names = new ArrayList<>();
        for (Path file : classFiles(modules().getPath("/modules", module))) {
            try {
                names.addAll(constants(Files.readAllBytes(file), areClasses));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return names;
    }

    private static FileSystem modules() {
        return FileSystems.getFileSystem(URI.create("jrt:/"));
    }

    private static List<Path> classFiles(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The names in a class file's pool of constants, in their order: of classes that it refers to, or all others. */
    private static List<String> constants(byte[] classFile, boolean areClasses) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        in.skipNBytes(Long.BYTES);
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        List<Integer> classes = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF();
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++;
                }
                case 7 -> classes.add(in.readUnsignedShort());
                case 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                default -> throw new IOException("unknown constant " + tag);
            }
        }
        List<String> names = new ArrayList<>();
        if (areClasses) {
            classes.forEach(index -> names.add(texts[index]));
        } else {
            Stream.of(texts)
                    .filter(text -> text != null && text.matches("[A-Za-z_]\\w*"))
                    .forEach(names::add);
        }
        return names;
    }
}
