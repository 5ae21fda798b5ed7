package dev.besom.bloomier;

import dev.besom.EntrySource;
import dev.besom.HashSource;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What makes one version of a list the next one: the hashes that the list answers otherwise than the new version of its keys
 * asks for, 65 bits each. Hashes that it happens to answer right cost nothing.
 *
 * <p>A patch belongs to the very list that it was made for, and says what that list must be and what becomes of it; neither a
 * list nor a patch holds keys.
 */
public final class ListPatch {

    /** The name that a patch file has in place of a kind. */
    public static final String KIND = "exact-list-patch";

    /** The fields and sections of a patch. */
    public static final ImageForm FORM = new ImageForm(KIND);

    private static final LongField BEFORE = FORM.whole("before", "checksum of the list that the patch is for");
    private static final LongField AFTER = FORM.whole("after", "checksum of the list that becomes of it");
    private static final Section CHANGED = FORM.section("changed", "hashes with another answer, ascending");
    private static final Section ANSWERS = FORM.section("answers", "their answers, a bit each, lowest first");

    private final long before;
    private final long after;
    private final Changes changes;

    private ListPatch(long before, long after, Changes changes) {
        this.before = before;
        this.after = after;
        this.changes = changes;
    }

    /**
     * The patch that makes a list right for other keys.
     *
     * @param yes all keys of the new version
     * @param no all known others of the new version; what was a key of the old one and is not any more has to be among them
     * @throws IllegalArgumentException if a key is in both
     */
    public static ListPatch between(ExactList list, HashSource yes, HashSource no) {
        Map<Long, Boolean> wrong = new TreeMap<>();
        long[] listed = Entries.of(EntrySource.of(yes, 0)).hashes();
        for (long hash : listed) {
            if (!list.mightContainHash(hash)) {
                wrong.put(hash, true);
            }
        }
        no.forEach(hash -> {
            if (Arrays.binarySearch(listed, hash) >= 0) {
                throw new IllegalArgumentException("a key is both in the list and known not to be in it");
            }
            if (list.mightContainHash(hash)) {
                wrong.put(hash, false);
            }
        });
        Changes changes = Changes.of(wrong);
        return new ListPatch(list.checksum(), patched(list, changes).checksum(), changes);
    }

    private static ExactList patched(ExactList list, Changes changes) {
        Map<Long, Boolean> all = list.changes().toMap();
        all.putAll(changes.toMap());
        return list.with(Changes.of(all));
    }

    /**
     * The list that becomes of another, which stays as it is.
     *
     * @throws IllegalArgumentException if the patch is not for that list
     */
    public ExactList applyTo(ExactList list) {
        if (list.checksum() != before) {
            throw new IllegalArgumentException(
                    list.checksum() == after ? "the patch was applied before" : "the patch is for another list");
        }
        ExactList result = patched(list, changes);
        if (result.checksum() != after) {
            throw new IllegalArgumentException("the patch does not make the list that it says");
        }
        return result;
    }

    /** How many answers the patch changes. */
    public int changeCount() {
        return changes.count();
    }

    /** The patch as an image. */
    public FilterImage image() {
        return FORM.write()
                .set(BEFORE, before)
                .set(AFTER, after)
                .set(CHANGED, changes.hashSection())
                .set(ANSWERS, changes.answerSection())
                .image();
    }

    /** The patch of an image. */
    public static ListPatch read(FilterImage image) {
        FORM.check(image);
        return new ListPatch(image.get(BEFORE), image.get(AFTER), Changes.read(image, CHANGED, ANSWERS));
    }
}
