package dev.besom.quotient.tags;

import dev.besom.MalformedFilterException;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;

/** The fields in which an image says how its tags are packed. */
public final class CodeFields {

    private final LongField number;
    private final LongField first;
    private final LongField second;

    /** Declares them on the form of a kind. */
    public CodeFields(ImageForm form) {
        this.number = form.whole("code", "how tags are packed: 0 to 2 for selectors, 3 to 6 for extensions");
        this.first = form.whole("x", "parameter x of the general code of selectors; 0 in others");
        this.second = form.whole("y", "parameter y of the general code of selectors; 0 in others");
    }

    /** Writes a choice. */
    public ImageForm.Writer set(ImageForm.Writer writer, CodeChoice choice) {
        return writer.set(number, choice.number()).set(first, choice.first()).set(second, choice.second());
    }

    /**
     * The choice of an image.
     *
     * @param isOfSelectors whether the kind's tags are selectors
     * @throws MalformedFilterException if there is no such choice for the kind
     */
    public CodeChoice get(FilterImage image, boolean isOfSelectors) {
        CodeChoice choice;
        try {
            choice = new CodeChoice(
                    Math.toIntExact(image.get(number)),
                    Math.toIntExact(image.get(first)),
                    Math.toIntExact(image.get(second)));
        } catch (ArithmeticException | IllegalArgumentException e) {
            throw new MalformedFilterException("no such code: " + e.getMessage(), e);
        }
        image.check(choice.isOfSelectors() == isOfSelectors, "code " + choice.number() + " is of other tags");
        return choice;
    }
}
