package dev.besom.lab.peer;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The rivals of adaptive filters by name, without the prefix that they have in a race, each with its options. */
public final class Rivals {

    private static final Map<String, Entry> BY_NAME = byName();

    private Rivals() {}

    /** Makes a filled rival. */
    @FunctionalInterface
    public interface Maker {
        /** A new rival that holds the keys. */
        Rival fill(RivalPlan plan, long[] keys);
    }

    /**
     * A rival.
     *
     * @param maker makes it
     * @param options the names of its options
     */
    public record Entry(Maker maker, Set<String> options) {}

    private static Map<String, Entry> byName() {
        Map<String, Entry> rivals = new TreeMap<>();
        rivals.put(
                "cached-quotient", new Entry((plan, keys) -> filled(new CachedQuotient(plan), keys), Set.of("cache")));
        rivals.put("cached-bloom", new Entry((plan, keys) -> filled(new CachedBloom(plan), keys), Set.of("cache")));
        rivals.put(
                "paper-telescoping",
                new Entry(
                        (plan, keys) -> filled(
                                new PaperTelescoping(
                                        plan.spec().capacity(), plan.spec().seed()),
                                keys),
                        Set.of()));
        rivals.put("stacked", new Entry(StackedFilter::new, Set.of()));
        rivals.put("break-even", new Entry((plan, keys) -> filled(new BreakEvenRepair(plan), keys), Set.of("cost")));
        return Collections.unmodifiableMap(rivals);
    }

    private static Rival filled(Rival rival, long[] keys) {
        rival.insertHashes(keys, 0, keys.length);
        return rival;
    }

    /** The names there are. */
    public static Set<String> names() {
        return BY_NAME.keySet();
    }

    /**
     * The rival of that name.
     *
     * @throws IllegalArgumentException if there is none; the message lists those there are
     */
    public static Entry find(String name) {
        Entry rival = BY_NAME.get(name);
        if (rival == null) {
            throw new IllegalArgumentException(
                    "unknown kind 'rival:" + name + "'; known rivals: " + String.join(", ", BY_NAME.keySet()));
        }
        return rival;
    }
}
