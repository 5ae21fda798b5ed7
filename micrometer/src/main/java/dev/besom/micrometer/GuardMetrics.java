package dev.besom.micrometer;

import dev.besom.guard.Guard;
import dev.besom.guard.GuardStatistics;
import dev.besom.guard.LatencyHistogram;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The statistics of a guard as meters.
 *
 * <pre>
 *   besom.guard.lookups      result = filtered, found, falsePositive, primingMiss, failed
 *   besom.guard.store.reads
 *   besom.guard.repairs      outcome = fixed, forgot, inseparable, dropped, leftOut
 *   besom.guard.repair.reads     reads of the store that repairs made
 *   besom.guard.reads.saved      reads of the store that repairs have saved, an estimate
 *   besom.guard.growths
 *   besom.guard.fpp          the observed rate over lookups of missing keys
 *   besom.guard.keys         besom.guard.size, in bits
 *   besom.guard.latency      in seconds; path = filter (a sample of lookups), store (all reads); phi = 0.5, 0.99, 0.999
 * </pre>
 *
 * Each meter has the tag {@code guard} with the name given. The meters hold the guard weakly and read its statistics only
 * when they are read. After {@link Guard#resetStatistics()} the counters start again from zero.
 */
public final class GuardMetrics implements MeterBinder {

    private static final String PREFIX = "besom.guard.";
    private static final double NANOS_PER_SECOND = 1e9;

    private final Guard<?, ?> guard;
    private final Tags tags;

    /**
     * Metrics of a guard.
     *
     * @param guard a guard of either kind
     * @param name tells guards apart
     */
    public GuardMetrics(Guard<?, ?> guard, String name, Iterable<Tag> moreTags) {
        this.guard = guard;
        this.tags = Tags.of("guard", name).and(moreTags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        lookups(registry, "filtered", GuardStatistics.Lookups::answeredByFilter);
        lookups(registry, "found", GuardStatistics.Lookups::found);
        lookups(registry, "falsePositive", GuardStatistics.Lookups::falsePositives);
        lookups(registry, "primingMiss", GuardStatistics.Lookups::missedWhilePriming);
        lookups(registry, "failed", GuardStatistics.Lookups::failed);
        repairs(registry, "fixed", GuardStatistics.Repairs::fixed);
        repairs(registry, "forgot", GuardStatistics.Repairs::forgot);
        repairs(registry, "inseparable", GuardStatistics.Repairs::inseparable);
        repairs(registry, "dropped", GuardStatistics.Repairs::dropped);
        repairs(registry, "leftOut", GuardStatistics.Repairs::leftOut);
        counter(registry, "repair.reads", tags, each -> each.reads().byRepairs());
        counter(registry, "reads.saved", tags, each -> each.reads().saved());
        counter(registry, "store.reads", tags, each -> each.reads().byLookups());
        counter(registry, "growths", tags, GuardStatistics::growths);
        gauge(registry, "fpp", each -> each.statistics().observedFpp());
        gauge(registry, "keys", Guard<?, ?>::count);
        gauge(registry, "size", Guard<?, ?>::sizeInBits);
        latency(registry, "filter", GuardStatistics.Times::filter);
        latency(registry, "store", GuardStatistics.Times::store);
    }

    private void latency(MeterRegistry registry, String path, Function<GuardStatistics.Times, LatencyHistogram> times) {
        for (double part : new double[] {0.5, 0.99, 0.999}) {
            Gauge.builder(
                            PREFIX + "latency",
                            guard,
                            each -> times.apply(each.statistics().times()).percentileNanos(part) / NANOS_PER_SECOND)
                    .tags(tags.and("path", path, "phi", Double.toString(part)))
                    .baseUnit("seconds")
                    .register(registry);
        }
    }

    private void lookups(MeterRegistry registry, String result, ToDoubleFunction<GuardStatistics.Lookups> count) {
        counter(registry, "lookups", tags.and("result", result), each -> count.applyAsDouble(each.lookups()));
    }

    private void repairs(MeterRegistry registry, String outcome, ToDoubleFunction<GuardStatistics.Repairs> count) {
        counter(registry, "repairs", tags.and("outcome", outcome), each -> count.applyAsDouble(each.repairs()));
    }

    private void counter(MeterRegistry registry, String name, Tags with, ToDoubleFunction<GuardStatistics> count) {
        FunctionCounter.builder(PREFIX + name, guard, each -> count.applyAsDouble(each.statistics()))
                .tags(with)
                .register(registry);
    }

    private void gauge(MeterRegistry registry, String name, ToDoubleFunction<Guard<?, ?>> value) {
        Gauge.builder(PREFIX + name, guard, value).tags(tags).register(registry);
    }
}
