package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionForm;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import java.util.Map;
import java.util.function.Function;

/** The form of the images of a kind of this family: a {@link DaisyHeader}, and what the kind declares beside it. */
final class DaisyForm {

    final ImageForm form;
    private final ImageForm.LongField capacity;
    private final ImageForm.DoubleField rate;
    private final ImageForm.LongField seed;
    private final ImageForm.LongField draws;
    private final ImageForm.LongField count;
    private final ImageForm.Section numbers;
    private final DistributionForm distribution;
    private final Function<int[], ClassNumbers> toNumbers;

    /**
     * Declares the fields and sections of a header.
     *
     * @param numbersMeaning what the numbers of the classes are
     * @param toNumbers from the number of each class
     */
    DaisyForm(String kind, String numbersMeaning, Function<int[], ClassNumbers> toNumbers) {
        this.form = new ImageForm(kind);
        this.capacity = form.whole("capacity", "planned draws");
        this.rate = form.real("rate", "planned rate over the queries of the distribution");
        this.seed = form.whole("seed", "seed of the hash functions");
        this.draws = form.whole("draws", "inserts, those of keys that were in already included");
        this.count = form.whole("count", "keys in the filter");
        this.numbers = form.section("numbers", numbersMeaning + ", 8 bits each");
        this.distribution = new DistributionForm(form);
        this.toNumbers = toNumbers;
    }

    /** Begins an image. */
    ImageForm.Writer write(DaisyHeader header) {
        ImageForm.Writer writer = form.write()
                .set(capacity, header.spec().capacity())
                .set(rate, header.spec().fpp())
                .set(seed, header.spec().seed())
                .set(draws, header.draws())
                .set(count, header.count())
                .set(numbers, header.numbers().toWords());
        return distribution.write(writer, header.distribution());
    }

    /**
     * The header of an image.
     *
     * @param mostNumber the highest number that a class can have
     */
    DaisyHeader read(FilterImage image, int mostNumber) {
        double fpp = image.get(rate, Double.MIN_VALUE, Math.nextDown(1.0));
        FilterSpec spec = new FilterSpec(image.get(capacity, 1, Long.MAX_VALUE), fpp, image.get(seed), Map.of());
        Distribution known = distribution.read(image);
        int[] numberOfClass = ClassNumbers.read(image, image.get(numbers), known.classCount(), mostNumber);
        return new DaisyHeader(
                spec,
                known,
                toNumbers.apply(numberOfClass),
                image.get(draws, 0, Long.MAX_VALUE),
                image.get(count, 0, Long.MAX_VALUE));
    }
}
