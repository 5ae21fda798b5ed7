package dev.besom.bench.lists;

import dev.besom.AdaptiveFilter;
import dev.besom.ExcludingFilter;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.bloomier.ExactList;
import dev.besom.bloomier.ListPatch;
import dev.besom.filters.Filters;
import dev.besom.spi.PersistentFilter;
import dev.besom.stored.MemoryHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/** The ways to keep a list beside known others, of which some are known when it is built and the rest come later. */
final class ListWays {

    /** So often others are told again to a filter that can forget. */
    private static final int ROUNDS = 20;

    private final long[] yes;
    private final long[] known;
    private final long[] later;
    private final long[] others;
    private final MemoryHashes stored = new MemoryHashes();

    ListWays(long[] yes, long[] known, long[] later) {
        this.yes = yes;
        this.known = known;
        this.later = later;
        this.others =
                LongStream.concat(Arrays.stream(known), Arrays.stream(later)).toArray();
        Arrays.stream(yes).forEach(stored::add);
    }

    /**
     * One way.
     *
     * @param size in bits
     * @param lost keys of the list that are answered "no"
     * @param wrong known others that are answered "maybe"
     */
    record Row(String way, long size, long lost, long wrong) {}

    /** The rows of all ways, and their sizes as a table. */
    List<Row> print(double fpp) {
        List<Row> rows = rows(fpp);
        System.out.printf(
                Locale.ROOT,
                "%,d keys, %,d known others and %,d later ones; other keys at %s:%n%n",
                yes.length,
                known.length,
                later.length,
                fpp);
        System.out.println("| way | bytes | bits a key | keys lost | others wrong |");
        System.out.println("| --- | --: | --: | --: | --: |");
        for (Row row : rows) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,d | %.2f | %d | %d |%n",
                    row.way,
                    (row.size + 7) / 8,
                    row.size / (double) yes.length,
                    row.lost,
                    row.wrong);
        }
        return rows;
    }

    List<Row> rows(double fpp) {
        FilterSpec spec = FilterSpec.of(yes.length, fpp);
        List<Row> rows = new ArrayList<>();
        PersistentFilter known = list("exact-list", spec, this.known);
        rows.add(row("`exact-list` of what is known first", known));
        rows.add(row("the same, patched with the later ones", patched((ExactList) known)));
        PersistentFilter growing = list("exact-list-growing", spec, this.known);
        for (long hash : later) {
            ((ExcludingFilter) growing).excludeHash(hash, stored);
        }
        rows.add(row("`exact-list-growing`, told of the later ones", growing));
        rows.add(row("`exact-list` of all, built anew", list("exact-list", spec, others)));
        rows.add(row("`telescoping`, told of all", adaptive(spec)));
        rows.add(row("`ribbon`, which knows no others", Filters.buildHashFilter("ribbon", spec, HashSource.of(yes))));
        rows.add(row("`bloom`, which knows no others", Filters.buildHashFilter("bloom", spec, HashSource.of(yes))));
        return rows;
    }

    private PersistentFilter list(String kind, FilterSpec spec, long[] no) {
        return Filters.buildExactList(kind, spec, HashSource.of(yes), HashSource.of(no));
    }

    private ExactList patched(ExactList list) {
        return ListPatch.between(list, HashSource.of(yes), HashSource.of(others))
                .applyTo(list);
    }

    private PersistentFilter adaptive(FilterSpec spec) {
        PersistentFilter filter = Filters.makeHashFilter("telescoping", spec, stored);
        AdaptiveFilter adaptive = (AdaptiveFilter) filter;
        Arrays.stream(yes).forEach(adaptive::insertHash);
        for (int round = 0; round < ROUNDS; round++) {
            Arrays.stream(others).filter(adaptive::mightContainHash).forEach(adaptive::repairHash);
        }
        return filter;
    }

    private Row row(String way, PersistentFilter filter) {
        return new Row(
                way,
                filter.sizeInBits(),
                Arrays.stream(yes)
                        .filter(hash -> !filter.mightContainHash(hash))
                        .count(),
                Arrays.stream(others).filter(filter::mightContainHash).count());
    }
}
