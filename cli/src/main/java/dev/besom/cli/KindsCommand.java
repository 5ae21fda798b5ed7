package dev.besom.cli;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists the kinds with what each can do and costs, or shows one of them whole. */
@Command(
        name = "kinds",
        description =
                "List the kinds of filters: what each can do and its bits a key. With KIND: all about one of them.",
        footer = {
            "",
            "Bits a key are those of a real filter with 100,000 keys in it, made for a rate of 1 %%.",
            "",
            "Examples:",
            "  besom kinds",
            "  besom kinds telescoping"
        })
final class KindsCommand extends BesomCommand {

    private static final int KEYS = 100_000;
    private static final double FPP = 0.01;
    private static final long SEED = 0x6B696E6473L;

    @Parameters(arity = "0..1", paramLabel = "KIND", description = "Show this kind alone, with its options.")
    private @Nullable String name;

    @Mixin
    private Width width = new Width();

    @Override
    void run() throws IOException {
        String chosen = name;
        List<Kind> kinds = chosen == null ? Filters.kinds() : List.of(ofOption("KIND", () -> Filters.kind(chosen)));
        if (wantsJson()) {
            writeJson(kinds);
        } else if (chosen == null) {
            list(kinds);
        } else {
            show(kinds.get(0));
        }
    }

    private void writeJson(List<Kind> kinds) throws IOException {
        JsonWriter json = json().beginObject().name("kinds").beginArray();
        for (Kind kind : kinds) {
            json.beginObject().field("kind", kind.name()).field("family", kind.family());
            FilterReport.writeCapabilities(kind, json);
            json.field("bitsPerKeyAt1Percent", bitsPerKey(kind)).field("paper", kind.paper());
            json.name("options").value(kind.options()).endObject();
        }
        json.endArray().endObject().end();
    }

    private void list(List<Kind> kinds) throws IOException {
        Table table = width.isWide()
                ? new Table("kind", "family", "adaptive", ">bits/key at 1 %", "can", "paper")
                : new Table("kind", "adaptive", ">bits/key", "can");
        for (Kind kind : kinds) {
            String adaptive = kind.adaptivity().label();
            String bits = Numbers.fixed(bitsPerKey(kind), 2);
            String can = FilterReport.capabilities(kind);
            if (width.isWide()) {
                table.row(kind.name(), kind.family(), adaptive, bits, can, kind.paper());
            } else {
                table.row(kind.name(), adaptive, bits, can);
            }
        }
        width.print(table, console());
    }

    private void show(Kind kind) throws IOException {
        Console console = console();
        FilterReport.line(console, "kind", kind.name());
        FilterReport.line(console, "family", kind.family());
        FilterReport.line(console, "can", FilterReport.capabilities(kind));
        FilterReport.line(console, "adaptive", adaptive(kind));
        FilterReport.line(console, "bits a key", Numbers.fixed(bitsPerKey(kind), 2) + " at a rate of 1 %");
        FilterReport.line(console, "paper", kind.paper());
        if (kind.options().isEmpty()) {
            FilterReport.line(console, "options", "none");
            return;
        }
        console.print("");
        Table table = new Table("--option", "meaning");
        for (Map.Entry<String, String> option : kind.options().entrySet()) {
            table.row(option.getKey() + "=...", option.getValue());
        }
        width.print(table, console);
    }

    private static String adaptive(Kind kind) {
        String label = kind.adaptivity().label();
        double budget = kind.adaptiveBudget();
        if (Double.isNaN(budget)) {
            return label;
        }
        return label + ", "
                + (Double.isInfinite(budget)
                        ? "for any number of queries"
                                + (kind.keepsRepairs() ? "" : ", by changing all hash functions now and then")
                        : "up to " + Numbers.whole(Math.round(budget)) + " unique queries a key");
    }

    /** What a key costs in a filter that was really filled; not a number where the kind cannot be made so. */
    private static double bitsPerKey(Kind kind) {
        long[] hashes = new SplittableRandom(SEED).longs(KEYS).toArray();
        try {
            return (double) kind.build(FilterSpec.of(KEYS, FPP), HashSource.of(hashes), StoredHashes.none())
                            .sizeInBits()
                    / KEYS;
        } catch (IllegalArgumentException | FilterFullException e) {
            return Double.NaN;
        }
    }
}
