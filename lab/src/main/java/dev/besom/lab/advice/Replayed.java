package dev.besom.lab.advice;

import dev.besom.spi.Kind;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How a kind fared with a log of queries.
 *
 * @param kind which
 * @param bitsPerKey what it takes, with what it has learned from the earlier part
 * @param rates false positives for each miss
 * @param waste reads that found nothing
 */
public record Replayed(Kind kind, double bitsPerKey, Rates rates, Waste waste) {

    /**
     * False positives for each miss.
     *
     * @param early in the part that the kind could learn from
     * @param late in the part after it
     * @param fresh for keys that are not in the log at all
     */
    public record Rates(double early, double late, double fresh) {}

    /**
     * Reads that found nothing.
     *
     * @param all in the whole log
     * @param late in its later part
     * @param lateCost what those of the later part cost, where the log tells the cost of each, else one each
     */
    public record Waste(double all, double late, double lateCost) {

        /** What a wasted read costs on average. */
        double costOfRead() {
            return late > 0 ? lateCost / late : 1;
        }
    }

    /** The means of several filters of one kind. */
    static Replayed mean(List<Replayed> filters) {
        return new Replayed(
                filters.get(0).kind,
                mean(filters, each -> each.bitsPerKey),
                new Rates(
                        mean(filters, each -> each.rates.early),
                        mean(filters, each -> each.rates.late),
                        mean(filters, each -> each.rates.fresh)),
                new Waste(
                        mean(filters, each -> each.waste.all),
                        mean(filters, each -> each.waste.late),
                        mean(filters, each -> each.waste.lateCost)));
    }

    private static double mean(List<Replayed> filters, ToDoubleFunction<Replayed> number) {
        return filters.stream().mapToDouble(number).average().orElseThrow();
    }
}
