package dev.besom.spi;

import dev.besom.MalformedFilterException;
import dev.besom.filters.Filters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
    private final long[] parameters;
    private final List<long[]> sections;

    /**
     * @param kind the name in {@link Filters#kinds()}
     * @param parameters numbers in the kind's own order; doubles by {@link Double#doubleToRawLongBits(double)}
     * @param sections arrays made by {@link SectionWords}: their lead-in words are not part of the state
     */
    public FilterImage(String kind, long[] parameters, List<long[]> sections) {
        this.kind = kind;
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

    /** A parameter by its place, which is the bits of a double. */
    public double doubleParameter(int index) {
        return Double.longBitsToDouble(parameters[index]);
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
     * The parts that follow what a form has of its own.
     *
     * @param form of this image, already checked
     * @param partForm of each of them
     * @throws MalformedFilterException if what is there is no whole number of such parts
     */
    public List<FilterImage> parts(ImageForm form, ImageForm partForm) {
        int firstParameter = form.fields().size() + (form.hasList() ? 1 + list(form).length : 0);
        int firstSection = form.sections().size();
        int partParameters = partForm.fields().size();
        int partSections = partForm.sections().size();
        int partCount = (parameters.length - firstParameter) / Math.max(1, partParameters);
        check(
                firstParameter + partCount * partParameters == parameters.length
                        && firstSection + partCount * partSections == sections.size(),
                "its parts are not whole");
        List<FilterImage> parts = new ArrayList<>();
        for (int i = 0; i < partCount; i++) {
            int parameter = firstParameter + i * partParameters;
            int section = firstSection + i * partSections;
            parts.add(partForm.check(new FilterImage(
                    partForm.kind(),
                    Arrays.copyOfRange(parameters, parameter, parameter + partParameters),
                    sections.subList(section, section + partSections))));
        }
        return parts;
    }

    /**
     * Refuses an image of another form.
     *
     * @throws MalformedFilterException if the image has other numbers of parameters or sections
     */
    public void checkForm(int parameterCount, int sectionCount) {
        check(
                parameters.length == parameterCount && sections.size() == sectionCount,
                parameters.length + " parameters and " + sections.size() + " sections are not its form");
    }

    /**
     * Refuses an image for a reason.
     *
     * @throws MalformedFilterException if the condition does not hold; the message starts with the kind
     */
    public void check(boolean condition, String complaint) {
        if (!condition) {
            throw new MalformedFilterException(kind + ": " + complaint);
        }
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
            throw new MalformedFilterException(kind + ": " + e.getMessage(), e);
        }
    }
}
