package dev.besom.broom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.adaptive.Extensions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinsTest {

    private record Entry(int run, long value, long prefix) {}

    @ParameterizedTest
    @CsvSource({"88, 96, 8", "88, 120, 18", "5, 16, 44", "64, 64, 3", "65, 65, 7", "1, 120, 1", "110, 63, 13"})
    void aWideBinIsASequenceOfRunsWithExtensions(int runs, int slots, int width) {
        WideBins bins = new WideBins(new WideLayout(runs, slots, width), 3);
        live(bins, (run, value, last) -> bins.find(bins.base(1), run, value) == last);
    }

    @ParameterizedTest
    @CsvSource({"44, 48, 8", "54, 47, 8", "39, 54, 7", "28, 60, 5", "46, 50, 6", "1, 60, 6", "30, 42, 9", "54, 17, 16"})
    void aLineIsASequenceOfRunsWithExtensions(int runs, int slots, int width) {
        LineBins bins = new LineBins(new LineLayout(runs, slots, width), 3);
        live(bins, (run, value, last) -> isRight(bins, run, value, bins.find(bins.base(1), run, value), last));
    }

    private static boolean isRight(LineBins bins, int run, long value, int found, int last) {
        int base = bins.base(1);
        return found < 0
                ? last < 0
                : last >= 0
                        && bins.slot(base, found) == value
                        && bins.isOfRun(base, run, found)
                        && bins.runOf(base, found) == run;
    }

    @Test
    void keysOfALineThatAreElsewhereFollowThoseThatAreThere() {
        LineBins bins = new LineBins(new LineLayout(44, 48, 8), 1);
        int base = bins.base(0);
        bins.open(base, 3, 7);
        bins.open(base, 20, 0);
        for (boolean has : new boolean[] {true, false}) {
            bins.setElsewhere(base, has);
            assertThat(bins.hasElsewhere(base)).isEqualTo(has);
            for (int run = 0; run < 44; run++) {
                assertThat(bins.isElsewhere(base, run)).isEqualTo(has && run >= 20);
            }
        }
        bins.close(base, 3, 0);
        bins.close(base, 20, 0);
        bins.setElsewhere(base, true);
        assertThat(bins.lastRun(base)).isEqualTo(-1);
        assertThat(bins.isElsewhere(base, 0)).isTrue();
    }

    private interface Lookup {
        boolean isRight(int run, long value, int last);
    }

    private static void live(Bins bins, Lookup lookup) {
        int runs = bins.layout.runs();
        int slots = bins.layout.slots();
        int width = bins.layout.width();
        SplittableRandom random = new SplittableRandom(31L * runs + slots);
        BinSpill spill = new BinSpill(3, new BinSpill.Budget(5, 5));
        BinExtensions extensions = new BinExtensions(bins, spill);
        int bin = 1;
        int base = bins.base(bin);
        List<Entry> model = new ArrayList<>();
        boolean wasRefused = false;
        boolean wasListed = false;
        for (int step = 0; step < 6_000; step++) {
            boolean fills = (step / 1_000 & 1) == 0;
            int choice = random.nextInt(10);
            if (choice < (fills ? 4 : 2) && model.size() < slots) {
                Entry entry = new Entry(random.nextInt(runs), random.nextLong() >>> -width, Extensions.EMPTY);
                int at = 0;
                while (at < model.size() && model.get(at).run() <= entry.run()) {
                    at++;
                }
                model.add(at, entry);
                assertThat(bins.open(base, entry.run(), entry.value())).isEqualTo(at);
                extensions.opened(bin, at);
            } else if (choice < 6 && !model.isEmpty()) {
                int at = random.nextInt(model.size());
                bins.close(base, model.remove(at).run(), at);
                extensions.closed(bin, at);
            } else if (!model.isEmpty()) {
                int at = random.nextInt(model.size());
                long prefix = Extensions.of(random.nextLong(), random.nextInt(random.nextInt(10) == 0 ? 40 : 4));
                if (extensions.set(bin, at, prefix)) {
                    Entry old = model.get(at);
                    model.set(at, new Entry(old.run(), old.value(), prefix));
                } else {
                    wasRefused = true;
                }
            }
            compare(bins, extensions, model, lookup);
            wasListed |= spill.listSize(bin) > 0;
        }
        assertThat(wasRefused).isTrue();
        assertThat(wasListed).isTrue();
        for (int word = 0; word < bins.layout.words(); word++) {
            assertThat(bins.words[bins.base(0) + word]).isZero();
            assertThat(bins.words[bins.base(2) + word]).isZero();
        }
    }

    private static void compare(Bins bins, BinExtensions extensions, List<Entry> model, Lookup lookup) {
        int bin = 1;
        int base = bins.base(bin);
        bins.check(bin);
        extensions.check(bin);
        assertThat(bins.used(base)).isEqualTo(model.size());
        for (int slot = 0; slot < model.size(); slot++) {
            Entry entry = model.get(slot);
            boolean starts = slot == 0 || model.get(slot - 1).run() != entry.run();
            boolean ends = slot == model.size() - 1 || model.get(slot + 1).run() != entry.run();
            if (bins.slot(base, slot) != entry.value()
                    || extensions.get(bin, slot) != entry.prefix()
                    || bins.startsRun(base, slot) != starts
                    || bins.runOf(base, slot) != entry.run()
                    || !bins.isOccupied(base, entry.run())
                    || (ends && bins.runEnd(base, entry.run()) != slot)) {
                throw new AssertionError("slot " + slot + " is not " + entry);
            }
            long other = entry.value() ^ 1;
            if (!lookup.isRight(entry.run(), entry.value(), lastWith(model, entry.run(), entry.value()))
                    || !lookup.isRight(entry.run(), other, lastWith(model, entry.run(), other))) {
                throw new AssertionError("the value of slot " + slot + " is found elsewhere");
            }
        }
    }

    private static int lastWith(List<Entry> model, int run, long value) {
        int last = -1;
        for (int slot = 0; slot < model.size(); slot++) {
            last = model.get(slot).run() == run && model.get(slot).value() == value ? slot : last;
        }
        return last;
    }

    @Test
    void aCountBesideRunsIsIndependentOfThem() {
        WideBins bins = new WideBins(new WideLayout(88, 96, 8), 1);
        int base = bins.base(0);
        bins.open(base, 87, 1);
        bins.addToCount(base, 127);
        bins.open(base, 64, 2);
        bins.addToCount(base, -100);
        assertThat(bins.count(base)).isEqualTo(27);
        assertThat(bins.runEnd(base, 64)).isZero();
        assertThat(bins.runEnd(base, 87)).isEqualTo(1);
    }
}
