package dev.besom.quotient.tags;

import dev.besom.FilterSpec;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;

/**
 * Which code packs a filter's tags, as an option names it and an image numbers it. With it goes the number of words that
 * a block's metadata takes.
 *
 * @param number in images
 * @param first a parameter of the code; 0 if it has none
 * @param second a parameter of the code; 0 if it has none
 */
public record CodeChoice(int number, int first, int second) {

    private static final int SLOTS = SlotLayout.SLOTS_PER_BLOCK;

    private static final int ENUMERATIVE_SELECTORS = 0;
    private static final int SHIFT_SELECTORS = 1;
    private static final int GENERAL_SELECTORS = 2;
    private static final int ENUMERATIVE_EXTENSIONS = 3;
    private static final int SHIFT_EXTENSIONS = 4;
    private static final int BITMAP_EXTENSIONS = 5;
    private static final int LISTED_EXTENSIONS = 6;

    /** The parameters of the general code that take the most repairs at remainders of 8 bits. */
    private static final int DEFAULT_FIRST = 2;

    private static final int DEFAULT_SECOND = 3;

    /** Refuses what is no code. */
    public CodeChoice {
        int least = number == GENERAL_SELECTORS ? 1 : 0;
        int most = number == GENERAL_SELECTORS ? GeneralSelectorCode.MOST_PARAMETER : 0;
        if (number < ENUMERATIVE_SELECTORS || number > LISTED_EXTENSIONS) {
            throw new IllegalArgumentException("there is no code " + number);
        }
        if (first < least || first > most || second < least || second > most) {
            throw new IllegalArgumentException("code " + number + " has no parameters " + first + " and " + second);
        }
    }

    /** The code of selectors that a specification names. */
    public static CodeChoice ofSelectors(FilterSpec spec) {
        String name = spec.option("code", "enumerative");
        int x = (int) spec.option("x", DEFAULT_FIRST, 1, GeneralSelectorCode.MOST_PARAMETER);
        int y = (int) spec.option("y", DEFAULT_SECOND, 1, GeneralSelectorCode.MOST_PARAMETER);
        return switch (name) {
            case "enumerative" -> new CodeChoice(ENUMERATIVE_SELECTORS, 0, 0);
            case "shift" -> new CodeChoice(SHIFT_SELECTORS, 0, 0);
            case "general" -> new CodeChoice(GENERAL_SELECTORS, x, y);
            default ->
                throw new IllegalArgumentException(
                        "option code must be enumerative, shift or general, not '" + name + "'");
        };
    }

    /** The code of extensions that a specification names. */
    public static CodeChoice ofExtensions(FilterSpec spec) {
        String name = spec.option("code", "bitmap");
        if (ForgetOption.isNever(spec)) {
            if (!name.equals("bitmap")) {
                throw new IllegalArgumentException("a filter that never forgets packs no extensions by option code");
            }
            return new CodeChoice(LISTED_EXTENSIONS, 0, 0);
        }
        return switch (name) {
            case "bitmap" -> new CodeChoice(BITMAP_EXTENSIONS, 0, 0);
            case "enumerative" -> new CodeChoice(ENUMERATIVE_EXTENSIONS, 0, 0);
            case "arithmetic" -> new CodeChoice(SHIFT_EXTENSIONS, 0, 0);
            default ->
                throw new IllegalArgumentException(
                        "option code must be bitmap, enumerative or arithmetic, not '" + name + "'");
        };
    }

    /** Whether tags are selectors. */
    public boolean isOfSelectors() {
        return number <= GENERAL_SELECTORS;
    }

    /** The words of metadata that a block has. */
    public int metadataWords() {
        return switch (number) {
            case BITMAP_EXTENSIONS -> BitmapExtensions.METADATA_WORDS;
            case LISTED_EXTENSIONS -> ListedTags.METADATA_WORDS;
            default -> CodedTags.METADATA_WORDS;
        };
    }

    /** The most bits a key that a user can allow for tags beside the table. */
    public double mostSpill() {
        return number == LISTED_EXTENSIONS ? ListedTags.MOST_SPILL : BlockTags.MOST_SPILL;
    }

    /**
     * Tags over slots, packed by the chosen code.
     *
     * @param mostNotTall the greatest tag that does not make its block tall
     * @param spillBits the most memory that tags beside the table may take
     */
    public Tags tags(Slots slots, long mostNotTall, double spillBits) {
        if (number == BITMAP_EXTENSIONS) {
            return new BitmapExtensions(slots, spillBits);
        }
        if (number == LISTED_EXTENSIONS) {
            return new ListedTags(slots, spillBits);
        }
        BlockCode whole;
        BlockCode half;
        switch (number) {
            case ENUMERATIVE_SELECTORS -> {
                whole = SelectorTables.WHOLE;
                half = SelectorTables.HALF;
            }
            case ENUMERATIVE_EXTENSIONS -> {
                whole = ExtensionTables.WHOLE;
                half = ExtensionTables.HALF;
            }
            default -> {
                whole = arithmeticCode(SLOTS, CodedTags.CODE_BITS);
                half = arithmeticCode(SLOTS / 2, CodedTags.HALF_BITS);
            }
        }
        return new CodedTags(slots, whole, half, mostNotTall, spillBits);
    }

    private BlockCode arithmeticCode(int slots, int bits) {
        return switch (number) {
            case SHIFT_SELECTORS -> new ShiftSelectorCode(slots, bits);
            case GENERAL_SELECTORS -> new GeneralSelectorCode(slots, bits, first, second);
            default -> new ShiftExtensionCode(slots, bits);
        };
    }

    /** Filled on first use and shared by all filters. */
    private static final class SelectorTables {
        static final BlockCode WHOLE = new EnumerativeSelectorCode(SLOTS, CodedTags.CODE_BITS);
        static final BlockCode HALF = new EnumerativeSelectorCode(SLOTS / 2, CodedTags.HALF_BITS);
    }

    /** Filled on first use and shared by all filters. */
    private static final class ExtensionTables {
        static final BlockCode WHOLE = new EnumerativeExtensionCode(SLOTS, CodedTags.CODE_BITS);
        static final BlockCode HALF = new EnumerativeExtensionCode(SLOTS / 2, CodedTags.HALF_BITS);
    }
}
