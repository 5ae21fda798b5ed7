package dev.besom.daisy;

import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import org.jspecify.annotations.Nullable;

/** A {@link WarmUp} as fields and sections of a filter's image. */
final class WarmUpForm {

    private final ImageForm.LongField limitField;
    private final ImageForm.Section hashesSection;
    private final ImageForm.Section drawsSection;

    /** Declares them in the form of a filter's images. */
    WarmUpForm(ImageForm form) {
        limitField = form.whole("warmUp", "draws that are kept until the shares are known; 0 once they are");
        hashesSection = form.section(
                "warmUpHashes", "each distinct hash kept, followed by its class, in the order of their coming");
        drawsSection = form.section("warmUpDraws", "draws of each class, then all draws");
    }

    ImageForm.Writer write(ImageForm.Writer writer, @Nullable WarmUp warmUp) {
        return writer.set(limitField, warmUp == null ? 0 : warmUp.limit())
                .set(hashesSection, warmUp == null ? Words.allocate(0) : warmUp.hashWords())
                .set(drawsSection, warmUp == null ? Words.allocate(0) : warmUp.drawWords());
    }

    /** Null for a filter that knows the shares. */
    @Nullable
    WarmUp read(FilterImage image, DaisyHeader header) {
        long limit = image.get(limitField, 0, Long.MAX_VALUE);
        long[] hashes = image.get(hashesSection);
        long[] draws = image.get(drawsSection);
        if (limit == 0) {
            image.check(
                    Words.count(hashes) == 0 && Words.count(draws) == 0,
                    "keys are kept in a filter that is not warming up");
            return null;
        }
        WarmUp warmUp = new WarmUp(limit, header.distribution().classCount());
        warmUp.fill(image, hashes, draws);
        image.check(header.count() == warmUp.size(), header.count() + " keys are not those that were kept");
        return warmUp;
    }
}
