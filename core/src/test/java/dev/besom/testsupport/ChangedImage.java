package dev.besom.testsupport;

import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/** Images that differ from a filter's in one place, for tests of what a reader refuses. */
public final class ChangedImage {

    private ChangedImage() {}

    /** A copy of an image without parts, with another value of one whole number. */
    public static FilterImage with(ImageForm form, FilterImage image, String field, long value) {
        ImageForm.Writer writer = copyFields(form, image, field, value);
        for (ImageForm.Section section : form.sections()) {
            writer.set(section, image.get(section).clone());
        }
        return writer.image();
    }

    /** A copy of an image without parts, with other words in one section. */
    public static FilterImage with(ImageForm form, FilterImage image, String section, long[] words) {
        ImageForm.Writer writer = copyFields(form, image, "", 0);
        for (ImageForm.Section each : form.sections()) {
            writer.set(
                    each, each.name().equals(section) ? words : image.get(each).clone());
        }
        return writer.image();
    }

    private static ImageForm.Writer copyFields(ImageForm form, FilterImage image, String name, long value) {
        ImageForm.Writer writer = form.write();
        for (ImageForm.Field field : form.fields()) {
            if (field instanceof ImageForm.LongField whole) {
                writer.set(whole, whole.name().equals(name) ? value : image.get(whole));
            } else if (field instanceof ImageForm.DoubleField real) {
                writer.set(real, image.get(real));
            }
        }
        return writer;
    }
}
