package dev.besom.cuckoo;

import dev.besom.MalformedFilterException;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/** The fields and sections that the images of all tables of slots have. */
final class TableForm {

    final ImageForm fields;
    private final ImageForm.LongField placeCount;
    private final ImageForm.LongField slotBits;
    private final ImageForm.LongField seed;
    private final ImageForm.LongField count;
    private final ImageForm.Section slots;
    private final ImageForm.Section copies;

    /**
     * @param places what the places of a table are
     */
    TableForm(String kind, String places) {
        this.fields = new ImageForm(kind);
        this.placeCount = fields.whole("places", places);
        this.slotBits = fields.whole("slot bits", "bits of a slot, 4 to 32");
        this.seed = fields.whole("seed", "seed of the hash functions");
        this.count = fields.whole("count", "keys, those without slots of their own included");
        this.slots = fields.section("slots", "the slots, packed, 0 where free; and a word of 0");
        this.copies = fields.section(
                "copies",
                "keys without slots of their own: what they look like and how many they are, by open addressing");
    }

    ImageForm.Writer write(long places, PackedArray array, long used, Copies counted, long seedValue) {
        return fields.write()
                .set(placeCount, places)
                .set(slotBits, array.widthInBits())
                .set(seed, seedValue)
                .set(count, used + counted.total())
                .set(slots, array.words())
                .set(copies, counted.section());
    }

    long placeCount(FilterImage image) {
        return image.get(placeCount, 1, Words.MAX_COUNT * Long.SIZE / CuckooMath.NARROWEST);
    }

    long seed(FilterImage image) {
        return image.get(seed);
    }

    long count(FilterImage image) {
        return image.get(count, 0, Long.MAX_VALUE);
    }

    Copies copies(FilterImage image) {
        try {
            return Copies.read(image.get(copies));
        } catch (IllegalStateException e) {
            throw new MalformedFilterException(image.kind() + ": " + e.getMessage(), e);
        }
    }

    /** The slots of an image; there must be as many as its places have. */
    PackedArray slots(FilterImage image, CuckooMath.Placement placement) {
        int bits = (int) image.get(slotBits, CuckooMath.NARROWEST, CuckooMath.WIDEST);
        try {
            return new PackedArray(image.get(slots), placement.slotCount(placeCount(image)), bits);
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException(image.kind() + ": " + e.getMessage(), e);
        }
    }
}
