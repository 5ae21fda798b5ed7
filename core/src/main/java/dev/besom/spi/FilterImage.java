package dev.besom.spi;

import dev.besom.MalformedFilterException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * A filter's state as plain numbers, the form in which the codec and the families speak to each other: a kind, its
 * parameters and its arrays of words. What each number means is the kind's own matter, written down in
 * {@code docs/format.md}.
 *
 * <p>The arrays are shared, not copied: whoever makes an image from a filter reads it only; whoever makes a filter from
 * an image hands the arrays over.
 */
public final class FilterImage {

    private final String kind;

    /** What complaints begin with: the kind; for a part, those of all images around it too. */
    private final String path;

    private final long[] parameters;
    private final List<long[]> sections;

    /**
     * @param kind the name that {@code dev.besom.filters.Filters} knows it by
     * @param parameters numbers in the kind's own order; doubles by {@link Double#doubleToRawLongBits(double)}
     * @param sections arrays made by {@link SectionWords}: their lead-in words are not part of the state
     */
    public FilterImage(String kind, long[] parameters, List<long[]> sections) {
        this(kind, kind, parameters, sections);
    }

    private FilterImage(String kind, String path, long[] parameters, List<long[]> sections) {
        this.kind = kind;
        this.path = path;
        this.parameters = parameters;
        this.sections = List.copyOf(sections);
    }

    /** The name of the kind. */
    public String kind() {
        return kind;
    }

    /** How many parameters there are, those of parts included. */
    public int parameterCount() {
        return parameters.length;
    }

    /** A parameter by its place. */
    public long parameter(int index) {
        return parameters[index];
    }

    /** The words of all sections, each with its lead-in. */
    public List<long[]> sections() {
        return sections;
    }

    /** The whole number of a field. */
    public long get(ImageForm.LongField field) {
        return parameters[field.index];
    }

    /**
     * The whole number of a field, within bounds.
     *
     * @throws MalformedFilterException if it is outside of them
     */
    public long get(ImageForm.LongField field, long least, long most) {
        long value = get(field);
        check(value >= least && value <= most, field + " cannot be " + value);
        return value;
    }

    /** The double of a field. */
    public double get(ImageForm.DoubleField field) {
        return Double.longBitsToDouble(parameters[field.index]);
    }

    /**
     * The double of a field, within bounds.
     *
     * @throws MalformedFilterException if it is outside of them, or not a number
     */
    public double get(ImageForm.DoubleField field, double least, double most) {
        double value = get(field);
        check(value >= least && value <= most, field + " cannot be " + value);
        return value;
    }

    /** The words of a section, after the lead-in that {@link SectionWords} explains. */
    public long[] get(ImageForm.Section section) {
        return sections.get(section.index);
    }

    /** The list of numbers that follows the fields of a form. */
    public long[] list(ImageForm form) {
        int at = form.fields().size();
        return Arrays.copyOfRange(parameters, at + 1, at + 1 + (int) parameters[at]);
    }

    /**
     * The parts that follow what a form has of its own, all of them of one form.
     *
     * @param form of this image, already checked
     * @param partForm of each of them
     * @throws MalformedFilterException if what is there is no whole number of such parts
     */
    public List<FilterImage> parts(ImageForm form, ImageForm partForm) {
        List<FilterImage> all = new ArrayList<>();
        Parts parts = parts(form);
        while (parts.hasNext()) {
            all.add(parts.next(partForm));
        }
        return all;
    }

    /**
     * The parts that follow what a form has of its own, to be taken one by one where their forms differ.
     *
     * @param form of this image, already checked
     */
    public Parts parts(ImageForm form) {
        return new Parts(form);
    }

    /** The parts of an image, in the order in which they were written. */
    public final class Parts {

        private int nextParameter;
        private int nextSection;

        private Parts(ImageForm form) {
            nextParameter = form.fields().size() + (form.hasList() ? 1 + list(form).length : 0);
            nextSection = form.sections().size();
        }

        /** Whether there is something left. */
        public boolean hasNext() {
            return nextParameter < parameters.length || nextSection < sections.size();
        }

        /**
         * The next part.
         *
         * @param form of the part, with fields or sections and without parts of its own
         * @throws MalformedFilterException if what is left is not enough
         */
        public FilterImage next(ImageForm form) {
            int firstParameter = nextParameter;
            int firstSection = nextSection;
            nextParameter += form.fields().size();
            nextSection += form.sections().size();
            boolean isWhole = nextSection <= sections.size();
            if (form.hasList()) {
                long length = nextParameter < parameters.length ? parameters[nextParameter] : -1;
                isWhole &= length >= 0 && length < parameters.length;
                nextParameter += isWhole ? 1 + (int) length : 1;
            }
            check(isWhole && nextParameter <= parameters.length && !form.isEmpty(), "its parts are not whole");
            return form.check(new FilterImage(
                    form.kind(),
                    path + ": " + form.kind(),
                    Arrays.copyOfRange(parameters, firstParameter, nextParameter),
                    sections.subList(firstSection, nextSection)));
        }

        /**
         * Refuses an image with more than the parts that were taken.
         *
         * @throws MalformedFilterException if something is left
         */
        public void end() {
            check(!hasNext(), "it has more parts than belong to it");
        }
    }

    /**
     * What is made of numbers of this image.
     *
     * @param maker throws an {@link IllegalArgumentException} if they do not fit together
     * @throws MalformedFilterException if it does; the message starts with the kind
     */
    public <T> T checked(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            throw new MalformedFilterException(path + ": " + e.getMessage(), e);
        }
    }

    /**
     * Refuses an image for a reason.
     *
     * @throws MalformedFilterException if the condition does not hold; the message starts with the kind
     */
    public void check(boolean condition, String complaint) {
        if (!condition) {
            throw malformed(complaint);
        }
    }

    /** The exception with which an image is refused, for loops in which no complaint may be built in vain. */
    public MalformedFilterException malformed(String complaint) {
        return new MalformedFilterException(path + ": " + complaint);
    }

    /**
     * Refuses an image of which a damaged filter came.
     *
     * @param invariants throws an {@link IllegalStateException} if the filter is damaged
     * @throws MalformedFilterException if it is; the message starts with the kind
     */
    public void checkInvariants(Runnable invariants) {
        try {
            invariants.run();
        } catch (IllegalStateException e) {
            throw new MalformedFilterException(path + ": " + e.getMessage(), e);
        }
    }
}
