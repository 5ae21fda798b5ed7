package dev.besom.lab.advice;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Java code that makes the filter and asks it: imports, an empty line, statements. What it calls is found in the facade
 * by trying: the factory whose filter says that it is of the kind.
 */
final class Snippet {

    private final Wishes wishes;
    private final Candidate chosen;
    private final TreeSet<String> imports = new TreeSet<>();
    private final List<String> statements = new ArrayList<>();

    private Snippet(Wishes wishes, Candidate chosen) {
        this.wishes = wishes;
        this.chosen = chosen;
    }

    static String of(Wishes wishes, Candidate chosen) {
        Snippet snippet = new Snippet(wishes, chosen);
        Kind kind = chosen.kind();
        if (!kind.isInsertable()) {
            snippet.readFile(kind);
        } else if (kind.isAdaptive()) {
            snippet.adapt(kind);
        } else {
            snippet.askOnly(kind);
        }
        return String.join(
                        "\n",
                        snippet.imports.stream()
                                .map(name -> "import " + name + ";")
                                .toList())
                + "\n\n"
                + String.join("\n", snippet.statements)
                + "\n";
    }

    private void askOnly(Kind kind) {
        uses("dev.besom.KeyFilter");
        make(kind, "StoredHashes.none()");
        statements.add("var keys = KeyFilter.of(" + hasher() + ", filter);");
        statements.add("keys.add(" + stored() + ");");
        statements.add("if (keys.mightContain(" + asked() + ")) {");
        statements.add("    // maybe there: only now ask the dictionary");
        statements.add("}");
        if (wishes.needs().contains(Need.DELETE)) {
            statements.add("keys.remove(" + stored() + "); // only what was added");
        }
    }

    private void adapt(Kind kind) {
        uses("dev.besom.stored.MemoryHashes");
        statements.add("// Your dictionary's ordered hashes stand here; dev.besom.guard.Guard does all of this before");
        statements.add("// RocksDB or a database.");
        statements.add("var stored = new MemoryHashes();");
        make(kind, "stored");
        statements.add("var hasher = " + hasher() + ";");
        statements.add("long hash = hasher.hash(" + stored() + ");");
        statements.add("filter.insert(hash); // the filter first, the dictionary second");
        statements.add("stored.add(hash);");
        statements.add("long asked = hasher.hash(" + asked() + ");");
        statements.add("if (filter.mightContain(asked)) {");
        statements.add("    boolean isFound = stored.contains(asked); // ask the dictionary for the key");
        statements.add("    if (!isFound) {");
        statements.add("        filter.repair(asked); // from now on the answer is no");
        statements.add("    }");
        statements.add("}");
        if (wishes.needs().contains(Need.DELETE)) {
            statements.add("stored.remove(hash); // the dictionary first, the filter second");
            statements.add("filter.delete(hash);");
        }
    }

    /** A kind that takes all keys at once is built by the command line. */
    private void readFile(Kind kind) {
        uses("dev.besom.codec.FilterCodec");
        uses("java.nio.file.Path");
        statements.add("// besom build --kind " + kind.name() + " --fpp " + chosen.plannedFpp()
                + " -o keys.besom KEYS makes the file");
        statements.add("var file = FilterCodec.read(Path.of(\"keys.besom\"));");
        statements.add("if (file.filter().mightContain(" + hasher() + ".hash(" + asked() + "))) {");
        statements.add("    // maybe there: only now ask the dictionary");
        statements.add("}");
    }

    private void make(Kind kind, String stored) {
        uses("dev.besom.FilterSpec");
        uses("dev.besom.Filters");
        uses(kind.type().getName());
        String type = kind.type().getSimpleName();
        String spec = String.format(Locale.ROOT, "FilterSpec.of(%sL, %s)", grouped(chosen.n()), chosen.plannedFpp());
        Optional<Method> factory = factory(kind);
        if (factory.isPresent()) {
            boolean isBound = factory.get().getParameterCount() == 2;
            statements.add(type + " filter = Filters." + factory.get().getName() + "(" + spec
                    + (isBound ? ", " + stored : "") + ");");
        } else {
            if (stored.startsWith("StoredHashes")) {
                uses("dev.besom.StoredHashes");
            }
            statements.add(type + " filter = (" + type + ") Filters.kind(\"" + kind.name() + "\").make(" + spec + ", "
                    + stored + ");");
        }
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', '_');
    }

    /** The method of the facade that makes filters of this very kind. */
    private static Optional<Method> factory(Kind kind) {
        for (Method method : Filters.class.getMethods()) {
            if (Modifier.isStatic(method.getModifiers())
                    && method.getReturnType() == kind.type()
                    && makes(method, kind.name())) {
                return Optional.of(method);
            }
        }
        return Optional.empty();
    }

    private static boolean makes(Method method, String kind) {
        Class<?>[] parameters = method.getParameterTypes();
        boolean isBound =
                parameters.length == 2 && parameters[0] == FilterSpec.class && parameters[1] == StoredHashes.class;
        if (!isBound && !(parameters.length == 1 && parameters[0] == FilterSpec.class)) {
            return false;
        }
        FilterSpec small = FilterSpec.of(100, 0.01);
        try {
            Object made = isBound ? method.invoke(null, small, StoredHashes.none()) : method.invoke(null, small);
            return made instanceof PersistentFilter filter
                    && filter.image().kind().equals(kind);
        } catch (IllegalAccessException | InvocationTargetException e) {
            return false;
        }
    }

    private String hasher() {
        uses("dev.besom.hash.KeyHasher");
        String type = wishes.keysAreNumbers() ? "longs" : "utf8";
        if (!wishes.needs().contains(Need.WITHSTAND)) {
            return "KeyHasher." + type + "()";
        }
        uses("dev.besom.hash.HashSecret");
        return "KeyHasher.secret" + type.substring(0, 1).toUpperCase(Locale.ROOT) + type.substring(1)
                + "(HashSecret.random())";
    }

    private String stored() {
        return wishes.keysAreNumbers() ? "42L" : "\"besom\"";
    }

    private String asked() {
        return wishes.keysAreNumbers() ? "43L" : "\"broom\"";
    }

    private void uses(String name) {
        imports.add(name);
    }
}
