package dev.besom.quotient;

import dev.besom.MalformedFilterException;
import dev.besom.adaptive.Tombstones;
import dev.besom.quotient.slots.SharedSlots;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TableForm;
import dev.besom.quotient.slots.TableShape;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.DoubleField;
import dev.besom.spi.ImageForm.Section;

/** The fields and sections that the images of all filters with tags have. */
final class TaggedForm {

    private final TableForm table;
    private final DoubleField spillBitsPerKey;
    private final Section spill;
    private final Section tombstones;
    private final Section inFlight;
    private final Section waiting;

    /** Declares them for a kind, whose own fields follow. */
    TaggedForm(String kind) {
        ImageForm form = new ImageForm(kind);
        this.table = new TableForm(form);
        this.spillBitsPerKey = form.real("spillBitsPerKey", "most memory for tags that their blocks have no room for");
        this.spill = form.section("spill", "tags that their blocks have no room for");
        this.tombstones = form.section("tombstones", "tags of deleted keys");
        this.inFlight = form.section("inFlight", "hashes of keys that may not be stored yet, ascending");
        this.waiting = form.section("waiting", "hashes whose deletes wait, the oldest first");
    }

    ImageForm form() {
        return table.form();
    }

    /** Begins the image of a filter. */
    ImageForm.Writer write(TaggedFilter filter) {
        TaggedTable its = filter.table;
        return table.write(its.shape, its.slots, filter.shared, filter.count())
                .set(spillBitsPerKey, its.spillBitsPerKey)
                .set(spill, its.tags.spillSection())
                .set(tombstones, filter.tombstones.section())
                .set(inFlight, filter.inFlight.section())
                .set(waiting, filter.deletes.waiting().section(filter::mayOwn));
    }

    TableShape shape(FilterImage image) {
        return table.shape(image);
    }

    double spillBitsPerKey(FilterImage image, double most) {
        return image.get(spillBitsPerKey, 0, most);
    }

    Slots slots(FilterImage image, int metadataWords) {
        return table.slots(image, shape(image), metadataWords);
    }

    /** Gives a filter over the slots of an image what else the image has, and checks it all. */
    <F extends TaggedFilter> F restore(FilterImage image, F filter) {
        SharedSlots shared = table.sharedSlots(image);
        long used = table.usedSlots(image, shared);
        try {
            filter.table.tags.readSpill(image.get(spill));
            filter.restore(shared, Tombstones.read(image.get(tombstones), filter.table.shape.capacity()), used);
            filter.checkInvariants();
            filter.inFlight.restore(image.get(inFlight), filter::mayOwn);
            filter.deletes.waiting().restore(image.get(waiting), filter::mayOwn);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new MalformedFilterException("the table is damaged: " + e.getMessage(), e);
        }
        return filter;
    }
}
