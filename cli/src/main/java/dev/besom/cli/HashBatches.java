package dev.besom.cli;

import dev.besom.HashSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;

/** The hashes of a command's keys, batch by batch. */
abstract class HashBatches {

    /** Takes the first {@code count} hashes of an array. */
    @FunctionalInterface
    interface Consumer {
        void accept(long[] hashes, int count) throws IOException;
    }

    /** Gives all hashes. */
    abstract void forEachBatch(Consumer consumer) throws IOException;

    /** How many hashes there are; -1 where nobody has counted. */
    abstract long count();

    /** Whether the hashes can be had once more. */
    abstract boolean isRereadable();

    /** The hashes one by one; where reading fails, an {@link UncheckedIOException} comes out. They must be counted. */
    final HashSource toSource() {
        if (count() < 0 || !isRereadable()) {
            throw new IllegalStateException("the hashes are not counted, or cannot be read twice");
        }
        return new HashSource() {
            @Override
            public long count() {
                return HashBatches.this.count();
            }

            @Override
            public void forEach(LongConsumer action) {
                try {
                    forEachBatch((hashes, count) -> {
                        for (int i = 0; i < count; i++) {
                            action.accept(hashes[i]);
                        }
                    });
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }
}
