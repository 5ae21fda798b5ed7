package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import dev.besom.compact.TinySetShape.Preset;
import dev.besom.spi.FilterImage;
import dev.besom.testsupport.ChangedImage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class TinySetFilterTest {

    private static final int KEYS = 20_000;

    private static TinySetFilter filled(FilterSpec spec, long[] keys) {
        TinySetFilter filter = TinySetFilter.make(spec);
        filter.insertHashes(keys, 0, keys.length);
        return filter;
    }

    private static long[] keys(long seed, int count) {
        return new SplittableRandom(seed).longs(count).toArray();
    }

    @Test
    void presetsAreThePapersConfigurations() {
        for (Preset preset : Preset.values()) {
            TinySetFilter filter = TinySetFilter.make(FilterSpec.of(KEYS, 0.001).with("preset", preset.label()));
            TinySetShape shape = TinySetShape.of(preset, 0.001);
            assertThat(filter.blockBits()).isEqualTo(shape.blockBits());
            assertThat(filter.chainsPerBlock()).isEqualTo(shape.chains());
            assertThat(filter.sizeInBits() / (double) KEYS)
                    .isCloseTo(shape.bitsPerKey(), within(0.01 * shape.bitsPerKey()));
        }
        assertThat(TinySetShape.of(Preset.LINE, 0.01).blockBits()).isEqualTo(512);
        assertThat(TinySetShape.of(Preset.HALF_LINE, 0.01).blockBits()).isEqualTo(256);
        assertThat(TinySetShape.of(Preset.KEYS_64, 0.01).keysPerBlock()).isEqualTo(64);
    }

    @Test
    void theSmallestIsNoLargerThanAnyPresetOfAtMostSixtyFourKeys() {
        for (double fpp : new double[] {0.3, 0.03, 0.01, 0.001, 1e-5}) {
            double smallest = TinySetShape.smallest(BlockForm.PLANES, fpp).bitsPerKey();
            for (Preset preset : List.of(Preset.LINE, Preset.HALF_LINE, Preset.KEYS_32, Preset.KEYS_64)) {
                assertThat(smallest)
                        .isLessThanOrEqualTo(TinySetShape.of(preset, fpp).bitsPerKey());
            }
            assertThat(TinySetFilter.make(FilterSpec.of(KEYS, fpp).with("preset", "smallest"))
                                    .sizeInBits()
                            / (double) KEYS)
                    .isCloseTo(smallest, within(0.01 * smallest));
        }
    }

    @Test
    void optionsOverrideThePreset() {
        TinySetFilter filter = TinySetFilter.make(FilterSpec.of(8_000, 0.03)
                .with("chains", "80")
                .with("blockBits", "640")
                .with("keysPerBlock", "80"));
        assertThat(filter.blockBits()).isEqualTo(640);
        assertThat(filter.chainsPerBlock()).isEqualTo(80);
        assertThat(filter.blockCount()).isEqualTo(100);
        assertThatThrownBy(() -> TinySetFilter.make(
                        FilterSpec.of(10, 0.01).with("blockBits", "100").with("chains", "64")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option blockBits must be from 129 to 8192, not 100");
        assertThatThrownBy(() -> TinySetFilter.make(FilterSpec.of(10, 1e-13)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too low");
    }

    @Test
    void optionsThatCannotBeHonouredAreRefused() {
        FilterSpec spec = FilterSpec.of(KEYS, 0.0001);
        for (String option : List.of("chains", "blockBits", "keysPerBlock")) {
            assertThatThrownBy(() ->
                            TinySetFilter.make(spec.with("preset", "smallest").with(option, "128")))
                    .as(option)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("preset smallest");
        }
        assertThatThrownBy(() -> TinySetFilter.make(spec.with("preset", "64I").with("blockBits", "600")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("have a rate of 0.0079");
        assertThatThrownBy(() -> TinySetFilter.make(spec.with("keysPerBlock", "60")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leave blockBits or keysPerBlock out");
        assertThatThrownBy(() -> TinySetFilter.make(FilterSpec.of(KEYS, 0.999)
                        .with("chains", "64")
                        .with("blockBits", "129")
                        .with("keysPerBlock", "50")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("have no room for 50.0 keys");
    }

    @Test
    void countersAndWidthsThatCannotBeHonouredAreRefused() {
        FilterSpec spec = FilterSpec.of(KEYS, 0.01);
        assertThatThrownBy(() ->
                        TinySetFilter.make(spec.with("counter", "explicit").with("widths", "two")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "blocks with the option counter=explicit have fingerprints of one width: leave widths=two out");
        assertThatThrownBy(() -> TinySetFilter.make(spec.with("counter", "yes")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option counter must be implicit or explicit, not 'yes'");
        assertThatThrownBy(() -> TinySetFilter.make(spec.with("widths", "three")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option widths must be two or one, not 'three'");
        assertThatThrownBy(() -> TinySetFilter.make(spec.with("counter", "")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        TinySetFilter.make(spec.with("counter", "explicit").with("blockBits", "500")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option blockBits must be a multiple of 64 from 128 to 8192, not 500");
    }

    @Test
    void oneWidthAndACounterCostSpace() {
        FilterSpec spec = FilterSpec.of(KEYS, 0.01);
        double two = TinySetFilter.make(spec).sizeInBits() / (double) KEYS;
        double one = TinySetFilter.make(spec.with("widths", "one")).sizeInBits() / (double) KEYS;
        TinySetFilter counted = TinySetFilter.make(spec.with("counter", "explicit"));
        assertThat(one / two).isBetween(1.03, 1.08);
        assertThat(counted.sizeInBits() / (KEYS * one)).isBetween(1.03, 1.1);
        assertThat(counted.chainsPerBlock()).isEqualTo(56);
    }

    @Test
    void whateverTheOptionsTheRateIsAtMostTheOneAskedForAndThePlannedKeysFit() {
        SplittableRandom random = new SplittableRandom(73);
        List<String> presets = List.of("64B", "32B", "16I", "32I", "64I", "128I");
        int made = 0;
        for (int i = 0; i < 400; i++) {
            double fpp = Math.exp(-8 * random.nextDouble());
            FilterSpec spec = FilterSpec.of(3_000, fpp).withSeed(i);
            if (random.nextBoolean()) {
                spec = spec.with("preset", presets.get(random.nextInt(presets.size())));
            }
            if (random.nextBoolean()) {
                spec = spec.with("chains", "" + (8 + random.nextInt(121)));
            }
            if (random.nextBoolean()) {
                spec = spec.with("blockBits", "" + (96 + random.nextInt(600)));
            }
            if (random.nextInt(3) == 0) {
                spec = spec.with("keysPerBlock", "" + (1 + random.nextInt(80)));
            }
            spec = switch (i % 4) {
                case 0 -> spec.with("widths", "one");
                case 1 -> spec.with("counter", "explicit");
                default -> spec;
            };
            TinySetFilter filter;
            try {
                filter = TinySetFilter.make(spec);
            } catch (IllegalArgumentException e) {
                continue;
            }
            made++;
            filter.insertHashes(keys(i, 3_000), 0, 3_000);
            // So many blocks are filled unevenly enough for a few of them to be a good deal worse.
            assertThat(filter.expectedFpp()).as("%s", spec).isLessThan(1.3 * fpp + 1e-4);
        }
        assertThat(made).isGreaterThan(150);
    }

    @Test
    void blocksOfALineStartWithTheirLine() {
        TinySetFilter filter = TinySetFilter.make(FilterSpec.of(KEYS, 0.01));
        assertThat(filter.sizeInBits()).isEqualTo(filter.blockCount() * 512L + 64);
    }

    @Test
    void beyondThePlannedLoadTheRateRisesGentlyAndNoKeyIsLost() {
        long[] keys = keys(21, 5 * KEYS);
        TinySetFilter filter = TinySetFilter.make(FilterSpec.of(KEYS, 0.01));
        double before = 0;
        for (int load = 1; load <= 5; load++) {
            filter.insertHashes(keys, (load - 1) * KEYS, KEYS);
            double rate = filter.expectedFpp();
            assertThat(rate).as("rate at %d times the planned load", load).isGreaterThan(before);
            assertThat(rate)
                    .isCloseTo(
                            TinySetMath.fpp(
                                    447, 64, (double) load * KEYS / filter.blockCount(), TinySetMath.Widths.TWO),
                            within(0.1 * rate));
            before = rate;
        }
        for (long key : keys) {
            assertThat(filter.mightContainHash(key)).isTrue();
        }
        filter.checkInvariants();
    }

    @Test
    void aBlockWithoutABitLeftRefusesAndTheFilterGoesOnWorking() {
        TinySetFilter filter = TinySetFilter.make(FilterSpec.of(KEYS, 0.01));
        for (int i = 0; i < 446; i++) {
            filter.insertHash(7);
        }
        assertThatThrownBy(() -> filter.insertHash(7)).isInstanceOf(FilterFullException.class);
        assertThat(filter.count()).isEqualTo(446);
        filter.checkInvariants();
        assertThat(filter.insertHash(8)).isTrue();
        assertThat(filter.deleteHash(7)).isTrue();
        filter.insertHash(7);
        assertThat(filter.count()).isEqualTo(447);
        filter.checkInvariants();
    }

    @Test
    void aUnionThatDoesNotFitIsRefusedAndChangesNothing() {
        FilterSpec spec = FilterSpec.of(100, 0.01);
        TinySetFilter one = TinySetFilter.make(spec);
        TinySetFilter other = TinySetFilter.make(spec);
        for (int i = 0; i < 300; i++) {
            one.insertHash(7);
            other.insertHash(7);
        }
        other.insertHash(8);
        long[] before = one.image().sections().get(0).clone();
        assertThatThrownBy(() -> one.mergeFrom(other)).isInstanceOf(FilterFullException.class);
        assertThat(one.image().sections().get(0)).isEqualTo(before);
        assertThat(one.count()).isEqualTo(300);
    }

    @Test
    void filtersOfDifferentBlocksAreNotUnited() {
        TinySetFilter one = TinySetFilter.make(FilterSpec.of(100, 0.01));
        assertThatThrownBy(() -> one.mergeFrom(
                        TinySetFilter.make(FilterSpec.of(100, 0.01).with("preset", "32B"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tinyset filters differ in bits of blocks: 512 and 256");
        assertThatThrownBy(() -> one.mergeFrom(
                        TinySetFilter.make(FilterSpec.of(100, 0.01).with("chains", "80"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tinyset filters differ in chains of blocks: 64 and 80");
        assertThatThrownBy(() -> one.mergeFrom(
                        TinySetFilter.make(FilterSpec.of(100, 0.01).with("widths", "one"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "differ in form of blocks: implicit counter, two widths and implicit counter, one width");
    }

    @Test
    void keysThatComeAndGoLeaveFreeSlotsBehindThatAreCounted() {
        long[] keys = keys(22, 2 * KEYS);
        TinySetFilter filter = filled(FilterSpec.of(KEYS, 0.001), Arrays.copyOf(keys, KEYS));
        assertThat(filter.slotCount()).isEqualTo(KEYS);
        for (int i = 0; i < KEYS; i++) {
            filter.insertHash(keys[KEYS + i]);
            assertThat(filter.deleteHash(keys[i])).isTrue();
        }
        double free = 1 - (double) KEYS / filter.slotCount();
        assertThat(free)
                .as("share of slots that are free after all keys were replaced")
                .isBetween(0.1, 0.2);
        filter.checkInvariants();
    }

    /** One thread inserts and deletes; the others know keys that are there all the time, and must always find them. */
    @Test
    void whoAsksBesideAWriterFindsEveryKeyThatIsThere() throws Exception {
        FilterSpec spec = FilterSpec.of(800, 0.01);
        for (FilterSpec one : List.of(spec, spec.with("preset", "64I"), spec.with("counter", "explicit"))) {
            int stable = 400;
            long[] keys = keys(23, 4_000);
            TinySetFilter filter = TinySetFilter.make(one);
            filter.insertHashes(keys, 0, stable);
            AtomicInteger published = new AtomicInteger(stable);
            AtomicInteger rounds = new AtomicInteger();
            ExecutorService pool = Executors.newFixedThreadPool(3);
            try {
                Future<?> writer = pool.submit(() -> {
                    for (int round = 0; round < 60; round++) {
                        for (int i = stable; i < 2 * stable; i++) {
                            filter.insertHash(keys[i]);
                            published.set(i + 1);
                        }
                        published.set(stable);
                        // Whoever still looks at the keys of this round is done when it has seen the next number.
                        rounds.incrementAndGet();
                        for (int i = stable; i < 2 * stable; i++) {
                            filter.deleteHash(keys[i]);
                            filter.insertHash(keys[i + stable]);
                            filter.deleteHash(keys[i + stable]);
                        }
                    }
                    rounds.set(-1);
                });
                List<Future<Integer>> readers = List.of(
                        pool.submit(() -> ask(filter, keys, stable, published, rounds)),
                        pool.submit(() -> ask(filter, keys, stable, published, rounds)));
                writer.get(60, TimeUnit.SECONDS);
                for (Future<Integer> reader : readers) {
                    assertThat(reader.get(60, TimeUnit.SECONDS))
                            .as("keys not found")
                            .isZero();
                }
            } finally {
                pool.shutdownNow();
            }
            filter.checkInvariants();
        }
    }

    private static int ask(
            TinySetFilter filter, long[] keys, int stable, AtomicInteger published, AtomicInteger rounds) {
        int lost = 0;
        long[] result = new long[(stable + 63) / 64];
        while (rounds.get() >= 0) {
            int round = rounds.get();
            int known = published.get();
            int missing = 0;
            for (int i = stable; i < known; i++) {
                missing += filter.mightContainHash(keys[i]) ? 0 : 1;
            }
            // Keys of the round are there as long as it lasts.
            lost += rounds.get() == round && round >= 0 ? missing : 0;
            for (int i = 0; i < stable; i++) {
                lost += filter.mightContainHash(keys[i]) ? 0 : 1;
            }
            filter.mightContainHashes(keys, 0, stable, result);
            for (int i = 0; i < stable; i++) {
                lost += (result[i >>> 6] >>> i & 1) == 0 ? 1 : 0;
            }
        }
        return lost;
    }

    @Test
    void imagesThatNoFilterWroteAreRefused() {
        TinySetFilter filter = filled(FilterSpec.of(1_000, 0.01), keys(24, 1_000));
        FilterImage image = filter.image();
        long[] words = image.sections().get(0);
        assertThat(TinySetFilter.read(ChangedImage.with(TinySetFilter.FORM, image, "blockBits", 512))
                        .count())
                .isEqualTo(1_000);
        Map<String, long[]> changes = Map.of(
                "blockBits", new long[] {511, 0, -1},
                "chains", new long[] {0, 129, 7},
                "blocks", new long[] {0, -1},
                "count", new long[] {999},
                "layout", new long[] {1, 3, 4, 5});
        changes.forEach((field, values) -> {
            for (long value : values) {
                FilterImage changed = ChangedImage.with(TinySetFilter.FORM, image, field, value);
                assertThatThrownBy(() -> TinySetFilter.read(changed))
                        .as("%s of %d", field, value)
                        .isInstanceOf(MalformedFilterException.class);
            }
        });
        for (int word : new int[] {Words.LEAD, Words.LEAD + 1, words.length - 1}) {
            long[] damaged = words.clone();
            damaged[word] = ~damaged[word];
            assertThatThrownBy(
                            () -> TinySetFilter.read(ChangedImage.with(TinySetFilter.FORM, image, "blocks", damaged)))
                    .as("word %d", word)
                    .isInstanceOf(MalformedFilterException.class);
        }
    }
}
