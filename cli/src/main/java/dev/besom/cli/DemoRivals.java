package dev.besom.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Other ways to answer missing keys that come again, each in the memory of the guard: filters alone, played against the lookups
 * for several draws of their hash functions.
 *
 * @param name what it is
 * @param luck what it wastes
 */
record DemoRivals(String name, DemoResult.Luck luck) {

    /** How many there are. */
    static final int COUNT = 3;

    /** The place of the filter with a cache among them. */
    private static final int CACHED = 0;

    /** Plays all of them; those that so few bits are too few for are left out. */
    static List<DemoRivals> play(DemoLuck luck, long bits, Runnable step) {
        List<DemoRivals> rivals = new ArrayList<>();
        try {
            rivals.add(new DemoRivals("quotient and cache", luck.ofRival("cached-quotient", bits, true)));
            step.run();
            rivals.add(new DemoRivals("stacked, told the misses", luck.ofRival("stacked", bits, true)));
            step.run();
            rivals.add(new DemoRivals("repairs at break-even", luck.ofRival("break-even", bits, false)));
            step.run();
        } catch (IllegalArgumentException e) {
            return rivals;
        }
        return rivals;
    }

    static void write(JsonWriter json, List<DemoRivals> rivals) throws IOException {
        json.name("rivals").beginArray();
        for (DemoRivals rival : rivals) {
            json.beginObject().field("rival", rival.name).field("draws", (long) rival.luck.draws());
            json.field("meanWastedReads", rival.luck.mean()).field("medianWastedReads", rival.luck.median());
            json.field("worstWastedReads", rival.luck.worst()).endObject();
        }
        json.endArray();
    }

    /** A table, and what it comes to beside the guard. */
    static void print(Console console, List<DemoRivals> rivals, DemoResult guard) throws IOException {
        if (rivals.isEmpty()) {
            return;
        }
        console.print("");
        console.print("The same memory spent in other ways, the filters alone over draws:");
        Table table = new Table("", ">median", ">worst");
        for (DemoRivals rival : rivals) {
            table.row(rival.name, Numbers.whole(rival.luck.median()), Numbers.whole(rival.luck.worst()));
        }
        table.print(console);
        console.print("");
        DemoRivals cached = rivals.get(CACHED);
        double ratio = (double) cached.luck.median() / Math.max(1, guard.luck().median());
        console.print(
                "A quotient filter with a cache of its mistakes wastes " + Numbers.fixed(ratio, 1) + " times as many");
        if (ratio <= 1) {
            console.print("reads as the guard: for lookups that mean no harm a cache is enough. It holds");
            console.print("nothing against one who asks again for what was wrong:");
            console.print("./besom race --kinds telescoping,rival:cached-quotient --workload adversary:20");
        } else {
            console.print("reads as the guard: more mistakes come back than a cache holds.");
        }
    }
}
