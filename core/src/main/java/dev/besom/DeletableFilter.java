package dev.besom;

/** A filter that gives keys up again. */
public interface DeletableFilter extends InsertableFilter {

    /**
     * Takes out a hash that was put in before. Deleting a hash that was never put in, but that the filter takes for
     * present, takes out another key's entry and so makes a false negative of that key: delete only what you know to
     * be there. An adaptive filter asks its {@link StoredHashes} and is safe from this.
     *
     * @return false, and no change, where nothing matched
     */
    boolean deleteHash(long hash);
}
