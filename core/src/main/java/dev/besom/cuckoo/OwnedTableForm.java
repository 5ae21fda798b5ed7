package dev.besom.cuckoo;

import dev.besom.spi.ImageForm.Section;

/**
 * The fields and sections that the images of adaptive tables have.
 *
 * @param table those of all tables of slots
 * @param inFlight hashes of keys that may not be stored yet: without them the owners of their slots could not be found out
 */
record OwnedTableForm(TableForm table, Section inFlight) {

    /** Declares them for a kind; {@code places} says what the places of its table are. */
    static OwnedTableForm of(String kind, String places) {
        TableForm table = new TableForm(kind, places);
        return new OwnedTableForm(
                table, table.fields.section("inFlight", "hashes of keys that may not be stored yet, ascending"));
    }
}
