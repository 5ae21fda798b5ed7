package dev.besom.lab.advice;

import dev.besom.MutableLongApproximateMap;
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
    TELL_APART("be right about known keys that are not in it"),
    GUARD("stand in a guard"),
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
            case INSERT -> kind.isInsertable() || takesEntries(kind);
            case DELETE -> kind.isDeletable() || takesEntries(kind);
            case GROW -> kind.isGrowable();
            case MERGE -> kind.isMergeable();
            case CONCURRENT -> ShareableFilter.class.isAssignableFrom(kind.type());
            case VALUES -> kind.holdsValues();
            case TELL_APART -> kind.separates();
            case GUARD -> kind.isAdaptive() && kind.isGrowable();
            case WITHSTAND -> kind.isAdaptive() && kind.adaptivity() == Adaptivity.PROVABLE;
        };
    }

    /** Whether keys come and go with their values. */
    private static boolean takesEntries(Kind kind) {
        return MutableLongApproximateMap.class.isAssignableFrom(kind.type());
    }
}
