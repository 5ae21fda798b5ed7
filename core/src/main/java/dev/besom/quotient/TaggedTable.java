package dev.besom.quotient;

import dev.besom.quotient.slots.QuotientKeys;
import dev.besom.quotient.slots.Runs;
import dev.besom.quotient.slots.ShortRuns;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TableShape;
import dev.besom.quotient.tags.Tags;

/** A table of slots with a tag beside each of them. */
final class TaggedTable {

    final TableShape shape;
    final double spillBitsPerKey;
    final QuotientKeys keys;
    final Slots slots;
    final Runs runs;
    final ShortRuns shortRuns;
    final Tags tags;

    /**
     * A table over slots and their tags.
     *
     * @param spillBitsPerKey the most memory for tags that their blocks have no room for
     */
    TaggedTable(TableShape shape, double spillBitsPerKey, Slots slots, Tags tags) {
        this.shape = shape;
        this.spillBitsPerKey = spillBitsPerKey;
        this.keys = shape.keys();
        this.slots = slots;
        this.runs = new Runs(slots);
        this.shortRuns = new ShortRuns(runs);
        this.tags = tags;
    }

    /** The most slots that may be in use. */
    long limit() {
        return shape.limit();
    }

    long sizeInBits() {
        return ((slots.layout().wordCount() + slots.layout().offsetWordCount()) << 6) + tags.spillInBits();
    }

    /** How many slots of a block have a tag. */
    int tagCount(int block) {
        long first = (long) block << SlotLayout.BLOCK_SHIFT;
        int tagged = 0;
        for (long slot = first; slot <= first + SlotLayout.SLOT_MASK; slot++) {
            tagged += tags.get(slot) == 0 ? 0 : 1;
        }
        return tagged;
    }

    /** Whether a slot of a quotient has a tag. */
    boolean hasTags(long quotient) {
        if (!runs.isOccupied(quotient)) {
            return false;
        }
        long end = runs.runEnd(quotient);
        for (long slot = runs.runStart(quotient, end); slot <= end; slot++) {
            if (tags.get(slot) != 0) {
                return true;
            }
        }
        return false;
    }
}
