package dev.besom;

import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * All the hashes that a filter is to be built from, as often as the builder wants to go through them. They are in any
 * order, may repeat, and are the same in every pass.
 */
public interface HashSource {

    /** How many hashes a pass gives, repeated ones included. */
    long count();

    /** Gives every hash, in the same order each time. */
    void forEach(LongConsumer action);

    /** The hashes of an array, or of a part of it. The array is not copied. */
    static HashSource of(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        return new HashSource() {
            @Override
            public long count() {
                return count;
            }

            @Override
            public void forEach(LongConsumer action) {
                for (int i = from; i < from + count; i++) {
                    action.accept(hashes[i]);
                }
            }
        };
    }

    /** The hashes of an array. The array is not copied. */
    static HashSource of(long... hashes) {
        return of(hashes, 0, hashes.length);
    }

    /**
     * The hashes that iterators give, a new one for each pass.
     *
     * @param count how many hashes an iterator gives; a pass of more or fewer ends in an {@link IllegalStateException}
     */
    static HashSource of(long count, Supplier<? extends PrimitiveIterator.OfLong> iterators) {
        return new HashSource() {
            @Override
            public long count() {
                return count;
            }

            @Override
            public void forEach(LongConsumer action) {
                PrimitiveIterator.OfLong iterator = iterators.get();
                for (long i = 0; i < count; i++) {
                    check(iterator.hasNext());
                    action.accept(iterator.nextLong());
                }
                check(!iterator.hasNext());
            }

            private void check(boolean isAsMany) {
                if (!isAsMany) {
                    throw new IllegalStateException("an iterator gave another number of hashes than " + count);
                }
            }
        };
    }

    /** All stored hashes, in ascending unsigned order. */
    static HashSource of(StoredHashes stored) {
        return new HashSource() {
            @Override
            public long count() {
                return stored.count();
            }

            @Override
            public void forEach(LongConsumer action) {
                stored.forEachBetween(0, -1L, action);
            }
        };
    }
}
