package dev.besom.lab.advice;

import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Java code that makes the filter and queries it: imports, an empty line, statements.
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
        if (kind.holdsValues()) {
            snippet.readMap(kind);
        } else if (wishes.needs().contains(Need.TELL_APART)) {
            snippet.readList(kind);
        } else if (kind.isBuiltAtOnce()) {
            snippet.readFile(kind);
        } else if (Need.GUARD.isMetBy(kind)) {
            snippet.guard(kind);
        } else if (kind.isAdaptive()) {
            snippet.adapt(kind);
        } else if (wishes.setting().keysExpire()) {
            snippet.rotate(kind);
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
        boolean deletes = wishes.needs().contains(Need.DELETE);
        make(kind, "", deletes ? "asDeletable" : "asInsertable");
        statements.add("filter.add(" + stored() + ");");
        statements.add("if (filter.mightContain(" + asked() + ")) {");
        statements.add("    // maybe there: only now ask the dictionary");
        statements.add("}");
        if (deletes) {
            statements.add("filter.remove(" + stored() + "); // only what was added");
        }
    }

    /** A filter that adapts belongs into a guard, which does all that it needs. */
    private void guard(Kind kind) {
        uses("dev.besom.guard.Guard");
        uses("dev.besom.guard.store.MemoryStore");
        String type = wishes.setting().keysAreNumbers() ? "Long" : "String";
        statements.add("// Module besom-guard. JdbcStore.adopt(source, table) stands before a table,");
        statements.add("// RocksStore before RocksDB.");
        statements.add("var store = new MemoryStore<" + type + ", String>();");
        statements.add("var builder = Guard.builder(store, " + plainHasher() + "); // makes its own secret");
        statements.add("builder.kind(\"" + kind.name() + "\").fpp(" + chosen.plannedFpp() + ").capacity("
                + grouped(chosen.n()) + "L);");
        if (wishes.setting().writers() != Writers.SOLE) {
            statements.add("// With a JdbcStore: builder.contract(Contract."
                    + wishes.setting().writers().name().toLowerCase(Locale.ROOT) + "());");
        }
        statements.add("try (var guard = builder.open()) {");
        statements.add("    guard.put(" + stored() + ", \"a broom of twigs\");");
        statements.add("    String value = guard.get(" + asked() + "); // null; the store is hardly read");
        if (wishes.needs().contains(Need.DELETE)) {
            statements.add("    guard.remove(" + stored() + ");");
        }
        statements.add("}");
    }

    /** One that adapts and cannot grow, which a guard's filters must. */
    private void adapt(Kind kind) {
        uses("dev.besom.stored.MemoryHashes");
        statements.add("// Your dictionary's ordered hashes stand here, 8 bytes a key beside its data:");
        statements.add("// a StoredHashes of your own.");
        statements.add("var stored = new MemoryHashes();");
        make(kind, ", stored", "asAdaptive");
        statements.add("filter.add(" + stored() + "); // the filter first, the dictionary second");
        statements.add("stored.add(filter.hasher().hash(" + stored() + "));");
        statements.add("if (filter.mightContain(" + asked() + ")) {");
        statements.add("    boolean isFound = false; // what the dictionary says");
        statements.add("    if (!isFound) {");
        statements.add("        filter.repair(" + asked() + "); // from now on the answer is no");
        statements.add("    }");
        statements.add("}");
        if (wishes.needs().contains(Need.DELETE)) {
            statements.add("stored.remove(filter.hasher().hash(" + stored() + ")); // the dictionary first");
            statements.add("filter.remove(" + stored() + ");");
        }
    }

    /** Two filters in turn: what is in neither of them has expired. */
    private void rotate(Kind kind) {
        make(kind, "", "asInsertable");
        statements.add("var older = Filters.make(\"" + kind.name() + "\", spec, hasher).asInsertable();");
        statements.add("filter.add(" + stored() + ");");
        statements.add("if (filter.mightContain(" + asked() + ") || older.mightContain(" + asked() + ")) {");
        statements.add("    // maybe there: only now ask the dictionary");
        statements.add("}");
        statements.add("// In turn, each time that keys live: what is older than that is forgotten.");
        statements.add("older = filter;");
        statements.add("filter = Filters.make(\"" + kind.name() + "\", spec, hasher).asInsertable();");
    }

    private void readList(Kind kind) {
        uses("dev.besom.filters.Filters");
        uses("java.nio.file.Path");
        statements.add("// besom build --kind " + kind.name() + " --fpp " + chosen.plannedFpp()
                + " --yes KEYS --no OTHERS -o list.besom makes the file");
        statements.add("var list = Filters.read(Path.of(\"list.besom\"), " + hasher() + ");");
        statements.add("// Right about all of KEYS and OTHERS:");
        statements.add("boolean isListed = list.mightContain(" + asked() + ");");
    }

    /** A kind that takes all keys at once is built by the command line. */
    private void readMap(Kind kind) {
        uses("dev.besom.LongApproximateMap");
        uses("dev.besom.filters.Filters");
        uses("java.nio.file.Path");
        statements.add("// besom build --kind " + kind.name() + " --fpp " + chosen.plannedFpp()
                + " --values VALUES -o keys.besom KEYS makes the file");
        statements.add("var hasher = " + hasher() + ";");
        statements.add("var file = Filters.readHashFilter(Path.of(\"keys.besom\"));");
        statements.add("var map = (LongApproximateMap) file.filter();");
        statements.add("long value = map.valueOfHash(hasher.hash(" + asked() + "));");
        statements.add("if (value != LongApproximateMap.ABSENT) {");
        statements.add("    // the value of the key, or of none if the key was never put in");
        statements.add("}");
    }

    private void readFile(Kind kind) {
        uses("dev.besom.filters.Filters");
        uses("java.nio.file.Path");
        statements.add("// besom build --kind " + kind.name() + " --fpp " + chosen.plannedFpp()
                + " -o keys.besom KEYS makes the file");
        statements.add("var filter = Filters.read(Path.of(\"keys.besom\"), " + hasher() + ");");
        statements.add("if (filter.mightContain(" + asked() + ")) {");
        statements.add("    // maybe there: only now ask the dictionary");
        statements.add("}");
    }

    private void make(Kind kind, String stored, String capability) {
        uses("dev.besom.FilterSpec");
        uses("dev.besom.filters.Filters");
        statements.add(String.format(
                Locale.ROOT, "var spec = FilterSpec.of(%sL, %s);", grouped(chosen.n()), chosen.plannedFpp()));
        statements.add("var hasher = " + hasher() + ";");
        statements.add(
                "var filter = Filters.make(\"" + kind.name() + "\", spec, hasher" + stored + ")." + capability + "();");
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', '_');
    }

    private String plainHasher() {
        uses("dev.besom.hash.KeyHasher");
        return "KeyHasher." + (wishes.setting().keysAreNumbers() ? "longs" : "utf8") + "()";
    }

    private String hasher() {
        if (!wishes.needs().contains(Need.WITHSTAND)) {
            return plainHasher();
        }
        uses("dev.besom.hash.KeyHasher");
        String type = wishes.setting().keysAreNumbers() ? "longs" : "utf8";
        uses("dev.besom.hash.HashSecret");
        return "KeyHasher.secret" + type.substring(0, 1).toUpperCase(Locale.ROOT) + type.substring(1)
                + "(HashSecret.random())";
    }

    private String stored() {
        return wishes.setting().keysAreNumbers() ? "42L" : "\"besom\"";
    }

    private String asked() {
        return wishes.setting().keysAreNumbers() ? "43L" : "\"broom\"";
    }

    private void uses(String name) {
        imports.add(name);
    }
}
