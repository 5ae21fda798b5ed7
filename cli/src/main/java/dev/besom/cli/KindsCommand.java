package dev.besom.cli;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.TreeSet;
import picocli.CommandLine.Command;

/** Lists the kinds with what each can do and costs. */
@Command(
        name = "kinds",
        description = {"List the kinds of filters: what each can do, its bits a key, where it comes from."},
        footer = {"", "Bits a key are those of a real filter with 100,000 keys in it, made for a rate of 1 %%."})
final class KindsCommand extends BesomCommand {

    private static final int KEYS = 100_000;
    private static final double FPP = 0.01;
    private static final long SEED = 0x6B696E6473L;

    @Override
    void run() throws IOException {
        if (wantsJson()) {
            JsonWriter json = json().beginObject().name("kinds").beginArray();
            for (Kind kind : Filters.kinds()) {
                json.beginObject().field("kind", kind.name()).field("family", kind.family());
                FilterReport.writeCapabilities(kind, json);
                json.field("bitsPerKeyAt1Percent", bitsPerKey(kind)).field("paper", kind.paper());
                json.name("options").beginObject();
                for (String option : new TreeSet<>(kind.options().keySet())) {
                    json.field(option, String.valueOf(kind.options().get(option)));
                }
                json.endObject().endObject();
            }
            json.endArray().endObject().end();
        } else {
            Table table = new Table("kind", "family", "can", "adaptive", ">bits/key at 1 %", "paper");
            for (Kind kind : Filters.kinds()) {
                table.row(
                        kind.name(),
                        kind.family(),
                        FilterReport.capabilities(kind),
                        kind.adaptivity().label(),
                        Numbers.fixed(bitsPerKey(kind), 2),
                        kind.paper());
            }
            table.print(console());
        }
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
