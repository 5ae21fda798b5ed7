package dev.besom.compact;

import dev.besom.spi.ImageForm;

/**
 * The two sorts of cells of a d-left table, each of which is a kind with images of its own.
 *
 * <pre>
 *   plain      | fingerprint, 0 where the cell is free |
 *   counting   | fingerprint, 0 where the cell is free | counter, 2 bits |
 * </pre>
 */
final class DLeftCells {

    /** A cell for each key. */
    static final DLeftCells PLAIN = new DLeftCells("dleft", 0);

    /** Up to three equal keys share a cell. */
    static final DLeftCells COUNTING = new DLeftCells("dleft-counting", 2);

    final ImageForm form;
    final ImageForm.LongField bucketsField;
    final ImageForm.LongField fingerprintBitsField;
    final ImageForm.LongField seedField;
    final ImageForm.LongField countField;
    final ImageForm.DoubleField loadField;
    final ImageForm.Section cellsSection;

    final int counterBits;

    /** How many keys a cell can stand for. */
    final long mostKeys;

    private DLeftCells(String kind, int counterBits) {
        this.counterBits = counterBits;
        this.mostKeys = Math.max(1, (1L << counterBits) - 1);
        this.form = new ImageForm(kind);
        this.bucketsField = form.whole("buckets", "buckets of each of the four tables");
        this.fingerprintBitsField = form.whole("fingerprintBits", "bits of a fingerprint, 1 to 31");
        this.seedField = form.whole("seed", "seed of the hash function");
        this.countField = form.whole("count", "keys in the table");
        this.loadField = form.real("load", "planned keys of a bucket, 1 to 8");
        this.cellsSection = form.section(
                "cells", "packed array, table by table, bucket by bucket; a cell's counter is its top bits");
    }

    /** How many keys a cell stands for. */
    long keysOf(long cell, int fingerprintBits) {
        return counterBits == 0 ? Math.min(1, cell) : cell >>> fingerprintBits;
    }

    /** The cell of one key. */
    long cellOf(long fingerprint, int fingerprintBits) {
        return counterBits == 0 ? fingerprint : fingerprint | 1L << fingerprintBits;
    }

    /**
     * The chance that a fresh bucket and fingerprint are those of a cell. Cells that count differ, but for keys put in
     * more often than a cell counts; others are equal as often as chance has it.
     *
     * @param cells used ones, over the number of different buckets and fingerprints
     */
    double rate(double cells) {
        return counterBits == 0 ? -Math.expm1(-cells) : Math.min(1, cells);
    }
}
