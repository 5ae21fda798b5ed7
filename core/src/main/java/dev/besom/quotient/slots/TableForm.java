package dev.besom.quotient.slots;

import dev.besom.MalformedFilterException;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.DoubleField;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;

/** The fields and sections that the images of all filters of this family have, declared on the form of a kind. */
public final class TableForm {

    private final ImageForm form;
    private final LongField capacity;
    private final DoubleField load;
    private final LongField remainderBits;
    private final LongField seed;
    private final LongField count;
    private final Section slots;
    private final Section offsets;
    private final Section shared;

    /** Declares them; a kind's own fields follow. */
    public TableForm(ImageForm form) {
        this.form = form;
        this.capacity = form.whole("capacity", "keys that the table is planned for");
        this.load = form.real("load", "part of the slots in use at that many keys");
        this.remainderBits = form.whole("remainderBits", "bits of a remainder");
        this.seed = form.whole("seed", "what remainders are drawn from");
        this.count = form.whole("count", "hashes in the filter, each as often as it was inserted");
        this.slots = form.section("slots", "blocks of 64 slots, as SlotLayout draws them");
        this.offsets = form.section("offsets", "8 bits a block");
        this.shared = form.section("shared", "of copies that share a slot: what they are, and how many");
    }

    /** The form with all its fields. */
    public ImageForm form() {
        return form;
    }

    /** Begins an image of a table. */
    public ImageForm.Writer write(TableShape shape, Slots table, SharedSlots sharedSlots, long keyCount) {
        return form.write()
                .set(capacity, shape.capacity())
                .set(load, shape.load())
                .set(remainderBits, shape.remainderBits())
                .set(seed, shape.seed())
                .set(count, keyCount)
                .set(slots, table.words())
                .set(offsets, table.offsets())
                .set(shared, sharedSlots.section());
    }

    /**
     * The shape of an image's table.
     *
     * @throws MalformedFilterException if there is no such shape
     */
    public TableShape shape(FilterImage image) {
        int bits = (int) image.get(remainderBits, 1, SlotLayout.MAX_REMAINDER_BITS);
        try {
            return new TableShape(image.get(capacity), image.get(load), bits, image.get(seed));
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException("no such table: " + e.getMessage(), e);
        }
    }

    /**
     * The slots of an image.
     *
     * @param metadataWords words of metadata that the kind's blocks have
     * @throws MalformedFilterException if the sections have other sizes than the shape says
     */
    public Slots slots(FilterImage image, TableShape shape, int metadataWords) {
        try {
            return new Slots(shape.layout(metadataWords), image.get(slots), image.get(offsets));
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException("the table does not fit its parameters: " + e.getMessage(), e);
        }
    }

    /**
     * The copies of an image that share slots.
     *
     * @throws MalformedFilterException if nobody wrote that
     */
    public SharedSlots sharedSlots(FilterImage image) {
        try {
            return SharedSlots.read(image.get(shared));
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException("the copies that share slots are damaged: " + e.getMessage(), e);
        }
    }

    /** How many slots of an image are in use: the keys without those that share the slot of another. */
    public long usedSlots(FilterImage image, SharedSlots sharedSlots) {
        long keyCount = image.get(count);
        image.check(
                sharedSlots.extra() <= keyCount,
                "a count of " + keyCount + " where " + sharedSlots.extra() + " copies share slots");
        return keyCount - sharedSlots.extra();
    }
}
