package dev.besom.lab.advice;

import dev.besom.ShareableFilter;
import dev.besom.spi.Kind;
import dev.besom.spi.Kind.Adaptivity;

/** Something that the filter must be able to do. */
public enum Need {
    INSERT("take keys one by one"),
    DELETE("delete"),
    GROW("take more keys than planned and keep its rate"),
    MERGE("merge"),
    CONCURRENT("take keys from several threads at once"),
    VALUES("hold values"),
    WITHSTAND("withstand an adversary");

    private final String words;

    Need(String words) {
        this.words = words;
    }

    /** What it is that can be done: fits behind "can" and "cannot". */
    public String words() {
        return words;
    }

    public boolean isMetBy(Kind kind) {
        return switch (this) {
            case INSERT -> kind.isInsertable();
            case DELETE -> kind.isDeletable();
            case GROW -> kind.isGrowable();
            case MERGE -> kind.isMergeable();
            case CONCURRENT -> ShareableFilter.class.isAssignableFrom(kind.type());
            // Filters answer whether a key is there; there is no interface for what belongs to it.
            case VALUES -> false;
            case WITHSTAND -> kind.isAdaptive() && kind.adaptivity() == Adaptivity.PROVABLE;
        };
    }
}
