package dev.besom.cascade;

import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.DoubleField;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;

/**
 * One level of a cascade.
 *
 * @param filter the fingerprints of all keys that have come here, those that have moved on included
 * @param rate that the filter is planned for
 * @param dead the numbers of fingerprints that had false positives
 */
record CascadeLevel(SingleHashFilter filter, double rate, PackedBag dead) {

    /** The part of an image that is a level without its filter, which is the part behind it. */
    static final ImageForm FORM = new ImageForm("level");

    private static final DoubleField RATE = FORM.real("rate", "rate it is planned for");
    private static final LongField DEAD_SLOTS = FORM.whole("dead slots", "slots of the table of dead fingerprints");
    private static final Section DEAD =
            FORM.section("dead fingerprints", "numbers of the dead fingerprints, ascending");

    static CascadeLevel empty(SingleHashFilter filter, double rate, long plannedDead) {
        return new CascadeLevel(filter, rate, PackedBag.below(filter.fingerprintCount(), plannedDead));
    }

    /** Whether keys at a position belong to a later level. */
    boolean isDead(long position) {
        return !dead.isEmpty() && dead.contains(filter.fingerprint(position));
    }

    /** The chance that a fresh query is found here and goes on: dead fingerprints stay when the keys that had them leave. */
    double foundAndDead() {
        long[] numbers = dead.toWords();
        double found = 0;
        for (int i = Words.LEAD; i < numbers.length; i++) {
            found += filter.foundShare(numbers[i]);
        }
        return found / filter.fingerprintCount();
    }

    long sizeInBits() {
        return filter.sizeInBits() + dead.sizeInBits();
    }

    /** Adds the two parts of an image that are this level. */
    void addTo(ImageForm.Writer writer) {
        writer.part(FORM.write()
                .set(RATE, rate)
                .set(DEAD_SLOTS, dead.slotCount())
                .set(DEAD, dead.toWords())
                .image());
        writer.part(filter.image());
    }

    /** Takes the next two parts of an image. */
    static CascadeLevel read(FilterImage.Parts parts, LevelKind kind, long levelSeed, long plannedDead) {
        FilterImage own = parts.next(FORM);
        double rate = own.get(RATE, Double.MIN_VALUE, Math.nextDown(1.0));
        SingleHashFilter filter = kind.read(parts.next(kind.form()), levelSeed, rate);
        PackedBag dead = PackedBag.read(own, DEAD, own.get(DEAD_SLOTS), filter.fingerprintCount(), plannedDead);
        return new CascadeLevel(filter, rate, dead);
    }
}
