package dev.besom.bloomier;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;

/**
 * A list of keys beside known keys that are not in it, such as blocked and allowed sites: a static filter that answers "maybe"
 * for every key of the list and "no" for every known other, without an error. Keys of which nothing is known are false positives
 * at a rate, as in any filter.
 *
 * <pre>
 *   levels    two functions that tell the keys of the list from known others: see {@link ListLevels}
 *   changes   hashes whose answers a patch has changed, with the answers; they come before the levels
 * </pre>
 *
 * <p>Departure from cascades of Bloom filters, in which each level holds the false positives of the one before: two levels
 * suffice where the second is a function that is right for all keys it was made for.
 *
 * <p>Cost: with {@code r} known others for each key of the list, {@code k + 1 + r / 2^k} bits a key of the list for the best
 * {@code k}, and what {@link dev.besom.fuse.RibbonFunction} adds, some 1 to 3 %. That is at most 12 % over the bound, the
 * logarithm of the number of ways to choose the list, from 100,000 keys on.
 *
 * <p>J. Larisch, D. Choffnes, D. Levin, B. M. Maggs, A. Mislove, C. Wilson: CRLite: a scalable system for pushing all TLS
 * revocations to all browsers. S&amp;P 2017. M. Dietzfelbinger and R. Pagh: Succinct data structures for retrieval and approximate
 * membership. ICALP 2008.
 */
public final class ExactList implements PersistentFilter {

    static final String KIND = "exact-list";

    static final ImageForm FORM = new ImageForm(KIND);
    private static final ListLevels.Fields LEVELS = new ListLevels.Fields(FORM);
    private static final Section CHANGED = FORM.section("changed", "hashes with another answer, ascending");
    private static final Section ANSWERS = FORM.section("answers", "their answers, a bit each, lowest first");

    static {
        FORM.parts(ListLevels.Fields.PARTS);
    }

    private final ListLevels levels;
    private final Changes changes;

    private ExactList(ListLevels levels, Changes changes) {
        this.levels = levels;
        this.changes = changes;
    }

    /**
     * Builds a list.
     *
     * @param spec its rate is that of keys of which nothing is known
     * @param no keys that are known not to be in the list
     * @throws IllegalArgumentException if a key is in both
     */
    static ExactList build(FilterSpec spec, HashSource yes, HashSource no) {
        return new ExactList(ListLevels.build(spec, yes, no), Changes.NONE);
    }

    @Override
    public boolean mightContainHash(long hash) {
        int change = changes.answer(hash);
        return change >= 0 ? change == 1 : levels.mightContainHash(hash);
    }

    /** Keys of the list when it was built. */
    @Override
    public long count() {
        return levels.count();
    }

    /** How many keys are known not to be in the list. */
    public long otherCount() {
        return levels.otherCount();
    }

    @Override
    public long sizeInBits() {
        return levels.sizeInBits() + changes.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return levels.expectedFpp();
    }

    /** The list with other answers for some hashes; the static part is shared. */
    ExactList with(Changes newChanges) {
        return new ExactList(levels, newChanges);
    }

    Changes changes() {
        return changes;
    }

    /** A number that tells this list from others: of all its parameters and words. */
    long checksum() {
        FilterImage image = image();
        long sum = 0;
        for (int i = 0; i < image.parameterCount(); i++) {
            sum = Mix.mix(sum + image.parameter(i) + 1);
        }
        for (long[] section : image.sections()) {
            for (int i = Words.LEAD; i < section.length; i++) {
                sum = Mix.mix(sum + section[i] + 1);
            }
        }
        return sum;
    }

    @Override
    public FilterImage image() {
        return LEVELS.write(levels)
                .set(CHANGED, changes.hashSection())
                .set(ANSWERS, changes.answerSection())
                .image();
    }

    static ExactList read(FilterImage image) {
        FORM.check(image);
        FilterImage.Parts parts = image.parts(FORM);
        ListLevels levels = LEVELS.read(image, parts);
        parts.end();
        return new ExactList(levels, Changes.read(image, CHANGED, ANSWERS));
    }
}
