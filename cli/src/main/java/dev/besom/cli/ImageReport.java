package dev.besom.cli;

import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** A filter's image by the names of its form: fields, list and sections. What the form has no name for has its number. */
final class ImageReport {

    private final ImageForm form;
    private final FilterImage image;

    ImageReport(ImageForm form, FilterImage image) {
        this.form = form;
        this.image = image;
    }

    /** Members of a JSON object. */
    void write(JsonWriter json) throws IOException {
        json.name("fields").beginObject();
        for (ImageForm.Field field : form.fields()) {
            json.name(memberName(field)).value(valueOf(field));
        }
        json.endObject();
        if (!form.listMeaning().isEmpty()) {
            json.name("list").beginArray();
            long[] list = image.list(form);
            for (int i = 0; i < list.length; i++) {
                json.value(form.isRealInList(i) ? (Object) Double.longBitsToDouble(list[i]) : (Object) list[i]);
            }
            json.endArray();
        }
        json.name("sectionWords").beginObject();
        for (ImageForm.Section section : form.sections()) {
            json.field(memberName(section), Words.count(image.get(section)));
        }
        json.endObject();
        if (hasParts()) {
            // Which of a part's numbers are bits of doubles only its own form knows.
            json.name("parts").beginObject().field("parameters", image.parameterCount() - ownParameters());
            json.name("sectionWords").beginArray();
            for (long[] section : partSections()) {
                json.value(Words.count(section));
            }
            json.endArray().endObject();
        }
    }

    /** A line for each field and section, with its meaning. */
    void print(Console console) throws IOException {
        Table table = new Table("field", ">value", "meaning");
        for (ImageForm.Field field : form.fields()) {
            table.row(field.name(), String.valueOf(valueOf(field)), field.meaning());
        }
        if (!form.listMeaning().isEmpty()) {
            table.row("list", image.list(form).length + " numbers", form.listMeaning());
        }
        for (ImageForm.Section section : form.sections()) {
            table.row(section.name(), words(image.get(section)), section.meaning());
        }
        if (hasParts()) {
            table.row(
                    "parts",
                    (image.parameterCount() - ownParameters()) + " numbers, "
                            + words(partSections().toArray(long[][]::new)),
                    form.partsMeaning());
        }
        table.print(console);
    }

    private Object valueOf(ImageForm.Field field) {
        if (field instanceof ImageForm.DoubleField real) {
            return image.get(real);
        }
        return image.get((ImageForm.LongField) field);
    }

    /** The name as members of JSON objects have them here: {@code bits per group} is {@code bitsPerGroup}. */
    private static String memberName(ImageForm.Field field) {
        StringBuilder name = new StringBuilder();
        for (String word : field.name().split("[ -]+", -1)) {
            name.append(name.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return name.toString();
    }

    private boolean hasParts() {
        return image.parameterCount() > ownParameters() || !partSections().isEmpty();
    }

    /** How many parameters are the form's own, not those of parts. */
    private int ownParameters() {
        return form.fields().size() + (form.listMeaning().isEmpty() ? 0 : 1 + image.list(form).length);
    }

    private List<long[]> partSections() {
        return image.sections().subList(form.sections().size(), image.sections().size());
    }

    private static String words(long[]... sections) {
        long words = 0;
        for (long[] section : sections) {
            words += Words.count(section);
        }
        return Numbers.whole(words) + " words";
    }
}
