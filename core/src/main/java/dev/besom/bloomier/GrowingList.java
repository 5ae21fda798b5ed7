package dev.besom.bloomier;

import dev.besom.Adaptation;
import dev.besom.ExcludingFilter;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.StoredHashes;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.PersistentFilter;

/**
 * A list of keys beside known keys that are not in it, of which more become known while it is in use. It answers "maybe" for
 * every key of the list and "no" for every known other, those that came later included, without an error.
 *
 * <pre>
 *   levels     what tells the keys of the list from the others that were known when it was built: see {@link ListLevels}
 *   excluded   what has become known since and the levels take for a key of the list: see {@link ExcludedHashes}
 * </pre>
 *
 * The levels are static, the second part adapts: an other costs memory only if it is a false positive of the levels, and a read of
 * the list's hashes only then.
 *
 * <p>Cost: that of {@link ExactList}, and about 15 bits for each hash that is excluded. A query for which the levels answer "no"
 * ends there. Not safe for concurrent use.
 */
public final class GrowingList implements ExcludingFilter, PersistentFilter {

    static final String KIND = "exact-list-growing";

    static final ImageForm FORM = new ImageForm(KIND);
    private static final ListLevels.Fields LEVELS = new ListLevels.Fields(FORM);
    private static final ExcludedHashes.Fields EXCLUDED = new ExcludedHashes.Fields(FORM);

    static {
        FORM.parts(ListLevels.Fields.PARTS + "; " + ExcludedHashes.Fields.PART);
    }

    private final ListLevels levels;
    private final ExcludedHashes excluded;

    private GrowingList(ListLevels levels, ExcludedHashes excluded) {
        this.levels = levels;
        this.excluded = excluded;
    }

    /**
     * Builds a list.
     *
     * @param spec its rate is that of keys of which nothing is known
     * @param no keys that are known not to be in the list
     * @throws IllegalArgumentException if a key is in both
     */
    static GrowingList build(FilterSpec spec, HashSource yes, HashSource no) {
        ListLevels levels = ListLevels.build(spec, yes, no);
        return new GrowingList(levels, ExcludedHashes.of(levels.count()));
    }

    @Override
    public boolean mightContainHash(long hash) {
        return levels.mightContainHash(hash) && !excluded.contains(hash);
    }

    @Override
    public Adaptation excludeHash(long hash, StoredHashes listed) {
        if (!mightContainHash(hash)) {
            return Adaptation.FIXED;
        }
        long known = listed.countIfKnown();
        boolean isWhole = known < 0 || known >= count();
        return isWhole && excluded.add(hash, listed) ? Adaptation.FIXED : Adaptation.INSEPARABLE;
    }

    @Override
    public long excludedCount() {
        return excluded.count();
    }

    /** Keys of the list. */
    @Override
    public long count() {
        return levels.count();
    }

    @Override
    public long sizeInBits() {
        return levels.sizeInBits() + excluded.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return levels.expectedFpp() * (1 - excluded.share());
    }

    @Override
    public FilterImage image() {
        return EXCLUDED.write(LEVELS.write(levels), excluded).image();
    }

    static GrowingList read(FilterImage image) {
        FORM.check(image);
        FilterImage.Parts parts = image.parts(FORM);
        ListLevels levels = LEVELS.read(image, parts);
        ExcludedHashes excluded = EXCLUDED.read(image, parts, levels.count());
        parts.end();
        return new GrowingList(levels, excluded);
    }
}
