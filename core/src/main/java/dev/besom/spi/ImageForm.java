package dev.besom.spi;

import dev.besom.MalformedFilterException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The fields and sections of a kind's images, declared once: the writer, the reader, {@code besom info} and the tables of
 * {@code docs/format.md} all follow from it.
 *
 * <pre>{@code
 *   static final ImageForm FORM = new ImageForm("bloom");
 *   private static final LongField BITS = FORM.whole("bits", "size of the filter");
 *   private static final DoubleField RATE = FORM.real("rate", "planned false-positive rate");
 *   private static final Section WORDS = FORM.section("words", "the bits, lowest first");
 * }</pre>
 *
 * <pre>
 *   parameters  | the form's fields, in the order of their declaration | list: length, values | part 0 | part 1 | ...
 *   sections    | the form's sections, in the order of their declaration              | part 0 | part 1 | ...
 * </pre>
 *
 * A form may end with one list of numbers and with parts: images of other forms that the filter is made of, such as the
 * layers of a scalable Bloom filter. Nothing can be declared after the first image was written or read.
 */
public final class ImageForm {

    /** A whole number of 64 bits. */
    public static final class LongField extends Field {
        private LongField(String name, String meaning, int index) {
            super(name, meaning, index);
        }
    }

    /** A double, kept by its {@linkplain Double#doubleToRawLongBits(double) bits}. */
    public static final class DoubleField extends Field {
        private DoubleField(String name, String meaning, int index) {
            super(name, meaning, index);
        }
    }

    /** An array of words made by {@link SectionWords}; empty where the filter has none. */
    public static final class Section extends Field {
        private Section(String name, String meaning, int index) {
            super(name, meaning, index);
        }
    }

    /** What fields and sections have in common. */
    public abstract static sealed class Field permits LongField, DoubleField, Section {
        private final String name;
        private final String meaning;
        final int index;

        private Field(String name, String meaning, int index) {
            this.name = name;
            this.meaning = meaning;
            this.index = index;
        }

        /** The name, as {@code besom info} shows it. */
        public final String name() {
            return name;
        }

        /** What it is, in a few words. */
        public final String meaning() {
            return meaning;
        }

        @Override
        public final String toString() {
            return name;
        }
    }

    private final String kind;
    private final List<Field> fields = new ArrayList<>();
    private final List<Section> sections = new ArrayList<>();
    private String listMeaning = "";
    private boolean[] realsOfList = {};
    private String partsMeaning = "";
    private volatile boolean isFrozen;

    /**
     * A form without fields.
     *
     * @param kind the name of the kind, with which complaints begin
     */
    public ImageForm(String kind) {
        this.kind = kind;
    }

    /** Declares a whole number. */
    public LongField whole(String name, String meaning) {
        return declare(fields, new LongField(name, meaning, fields.size()));
    }

    /** Declares a double. */
    public DoubleField real(String name, String meaning) {
        return declare(fields, new DoubleField(name, meaning, fields.size()));
    }

    /** Declares an array of words. */
    public Section section(String name, String meaning) {
        return declare(sections, new Section(name, meaning, sections.size()));
    }

    /** Declares that a list of whole numbers, of any length, follows the fields. */
    public void list(String meaning) {
        requireOpen();
        listMeaning = meaning;
    }

    /**
     * Declares that a list of numbers follows the fields, in groups of one shape.
     *
     * @param areReal for each number of a group, whether it is the bits of a {@code double}
     */
    public void list(String meaning, boolean... areReal) {
        list(meaning);
        realsOfList = areReal.clone();
    }

    /** Declares that images of other forms, any number of them, follow. */
    public void parts(String meaning) {
        requireOpen();
        partsMeaning = meaning;
    }

    private <T extends Field, U extends T> U declare(List<T> list, U field) {
        requireOpen();
        list.add(field);
        return field;
    }

    private void requireOpen() {
        if (isFrozen) {
            throw new IllegalStateException(
                    "an image of the kind " + kind + " was made before all fields were declared");
        }
    }

    private void freeze() {
        isFrozen = true;
    }

    /** The kind that images of this form belong to. */
    public String kind() {
        return kind;
    }

    /** The fields in their order: each a {@link LongField} or a {@link DoubleField}. */
    public List<Field> fields() {
        return Collections.unmodifiableList(fields);
    }

    /** The sections in their order. */
    public List<Section> sections() {
        return Collections.unmodifiableList(sections);
    }

    /** Whether the number of the list at that place is the bits of a {@code double}. */
    public boolean isRealInList(int place) {
        return realsOfList.length > 0 && realsOfList[place % realsOfList.length];
    }

    /** What the list of numbers is, or an empty text where there is none. */
    public String listMeaning() {
        return listMeaning;
    }

    /** What the parts are, or an empty text where there are none. */
    public String partsMeaning() {
        return partsMeaning;
    }

    /** Whether images of this form hold nothing at all. */
    boolean isEmpty() {
        return fields.isEmpty() && sections.isEmpty() && !hasList() && !hasParts();
    }

    boolean hasList() {
        return !listMeaning.isEmpty();
    }

    boolean hasParts() {
        return !partsMeaning.isEmpty();
    }

    /**
     * Refuses an image that does not have this form.
     *
     * @return the image
     * @throws MalformedFilterException if its kind, or the number of its parameters or sections, is not the form's
     */
    public FilterImage check(FilterImage image) {
        freeze();
        if (!image.kind().equals(kind)) {
            throw new MalformedFilterException(
                    "an image of the kind '" + image.kind() + "' where one of the kind '" + kind + "' is expected");
        }
        long ownParameters = fields.size();
        if (hasList()) {
            image.check(image.parameterCount() > ownParameters, "there are too few parameters");
            long length = image.parameter(fields.size());
            image.check(
                    length >= 0 && length < image.parameterCount() - ownParameters,
                    "a list of " + length + " numbers cannot be");
            ownParameters += 1 + length;
        }
        boolean parametersFit =
                hasParts() ? image.parameterCount() >= ownParameters : image.parameterCount() == ownParameters;
        boolean sectionsFit = hasParts()
                ? image.sections().size() >= sections.size()
                : image.sections().size() == sections.size();
        image.check(
                parametersFit && sectionsFit,
                image.parameterCount() + " parameters and " + image.sections().size() + " sections are not its form");
        return image;
    }

    /** Begins an image. */
    public Writer write() {
        freeze();
        return new Writer();
    }

    /** An image in the making; every field and section must be set before {@link #image()}. */
    public final class Writer {

        private final long[] values = new long[fields.size()];
        private final boolean[] isSet = new boolean[fields.size()];
        private final long[][] words = new long[sections.size()][];
        private long[] list = {};
        private final List<FilterImage> parts = new ArrayList<>();

        private Writer() {}

        /** Sets a whole number. */
        public Writer set(LongField field, long value) {
            return put(field, value);
        }

        /** Sets a double. */
        public Writer set(DoubleField field, double value) {
            return put(field, Double.doubleToRawLongBits(value));
        }

        /** Sets an array of words, made by {@link SectionWords}. It is shared, not copied. */
        public Writer set(Section section, long[] sectionWords) {
            requireOwn(section, sections);
            words[section.index] = sectionWords;
            return this;
        }

        /** Sets the list. */
        public Writer list(long... numbers) {
            require(hasList(), "no list is declared");
            list = numbers;
            return this;
        }

        /** Adds a part. */
        public Writer part(FilterImage part) {
            require(hasParts(), "no parts are declared");
            parts.add(part);
            return this;
        }

        private Writer put(Field field, long value) {
            requireOwn(field, fields);
            values[field.index] = value;
            isSet[field.index] = true;
            return this;
        }

        /** The image. */
        public FilterImage image() {
            for (Field field : fields) {
                require(isSet[field.index], "field " + field + " is not set");
            }
            List<long[]> allSections = new ArrayList<>();
            for (Section section : sections) {
                require(words[section.index] != null, "section " + section + " is not set");
                allSections.add(words[section.index]);
            }
            int own = values.length + (hasList() ? 1 + list.length : 0);
            int total =
                    own + parts.stream().mapToInt(FilterImage::parameterCount).sum();
            long[] all = Arrays.copyOf(values, total);
            if (hasList()) {
                all[values.length] = list.length;
                System.arraycopy(list, 0, all, values.length + 1, list.length);
            }
            int next = own;
            for (FilterImage part : parts) {
                for (int i = 0; i < part.parameterCount(); i++) {
                    all[next++] = part.parameter(i);
                }
                allSections.addAll(part.sections());
            }
            return new FilterImage(kind, all, allSections);
        }

        private void requireOwn(Field field, List<? extends Field> declared) {
            require(
                    field.index < declared.size() && declared.get(field.index) == field,
                    "field " + field + " belongs to another form");
        }

        private void require(boolean condition, String complaint) {
            if (!condition) {
                throw new IllegalStateException(kind + ": " + complaint);
            }
        }
    }
}
