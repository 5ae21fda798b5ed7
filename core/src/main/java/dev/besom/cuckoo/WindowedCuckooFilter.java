package dev.besom.cuckoo;

import dev.besom.FilterSpec;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.PackedArray;
import dev.besom.bits.PackedFields;
import dev.besom.cuckoo.CuckooMath.Placement;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * A cuckoo filter with windows of two slots that overlap, instead of buckets: window w is the slots w and w + 1. A key's
 * fingerprint is in one of the four slots of two windows.
 *
 * <pre>
 *   slots     0   1   2   3   4   5   6   7
 *           |   |   | a |   |   | b |   |   |
 *   windows     '-1-'                              a is the second slot of window 1: offset 1
 *                           '-5-'                  b is the first slot of window 5: offset 0
 *
 *   a slot    | 1 + 2 * (fingerprint - 1) + offset |      0 where it is free
 * </pre>
 *
 * Windows are fuller than aligned buckets of two slots can be, almost as full as buckets of four, and a query meets four slots
 * instead of eight. The <b>offset</b> tells which window a slot's fingerprint belongs to, of the two that the slot is part
 * of, so that its other window follows ({@link Pairing}). It costs a bit and gives it back: a query matches a slot only if
 * the offset is right as well.
 *
 * <p>Cost: f / 0.95 bits a key with slots of f bits, at a rate of 3.8 / 2^f: 10.5 bits at a rate of 1/256, where buckets of
 * four take 11.6. A query reads two windows. Inserts into a filter that is nearly full search longer than in buckets of four,
 * because 0.965 is the load beyond which windows of two slots have no room.
 *
 * <p>E. Lehman and R. Panigrahy: 3.5-way cuckoo hashing for the price of 2-and-a-bit. ESA 2009. J. Schmitz, J. Zentgraf and
 * S. Rahmann: Smaller and more flexible cuckoo filters. 2025.
 */
public final class WindowedCuckooFilter extends PackedSlotsFilter {

    static final String KIND = "cuckoo-windowed";

    static final TableForm FORM = new TableForm(KIND, "windows, one fewer than slots");

    private static final int WINDOW = 2;

    private final int width;
    private final long lows;
    private final long highs;
    private final long secondCode;
    private final Pairing pairing;
    private final KickSearch kicks = new KickSearch(new WindowMoves(), MOST_REACHED);
    private final long[] starts = new long[2 * WINDOW];

    WindowedCuckooFilter(PackedArray slots, long seed) {
        super(Placement.WINDOWS, slots, seed);
        this.width = slots.widthInBits();
        this.secondCode = 1L << width;
        this.lows = 1 | secondCode;
        this.highs = lows << (width - 1);
        this.pairing = Pairing.of(placeCount, seed, slots);
    }

    static WindowedCuckooFilter make(FilterSpec spec) {
        return new WindowedCuckooFilter(Placement.WINDOWS.slots(spec), spec.seed());
    }

    @Override
    WindowedCuckooFilter emptied(PackedArray newSlots) {
        return new WindowedCuckooFilter(newSlots, seed);
    }

    /** What the first slot of a window holds of a fingerprint; the second holds 1 more. */
    private static long code(long fingerprint) {
        return 2 * fingerprint - 1;
    }

    private static long fingerprintOf(long code) {
        return (code + 1) >>> 1;
    }

    /** Which slot of its window a code is in: 0 or 1. */
    private static long offset(long code) {
        return (code + 1) & 1;
    }

    /** Not 0 if one of two slots holds a code of its own: the first a code, the second 1 more. */
    private long matches(long window, long code) {
        return PackedFields.roughZeros(slots.bitsFrom(window) ^ (code * lows + secondCode), lows, highs);
    }

    @Override
    long tableSizeInBits() {
        return slots.sizeInBits() + pairing.sizeInBits();
    }

    @Override
    public boolean mightContainHash(long hash) {
        return matches(hash) != 0;
    }

    private long matches(long hash) {
        long scattered = scattered(hash);
        long window = place(scattered);
        long fingerprint = fingerprint(scattered);
        long code = code(fingerprint);
        return matches(window, code) | matches(pairing.other(window, fingerprint), code);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            long word = 0;
            for (int lane = 0; lane < lanes; lane++) {
                word |= Buckets.bit(matches(hashes[from + base + lane])) << lane;
            }
            result[base >>> 6] = word;
        }
    }

    @Override
    public boolean insertHash(long hash) {
        long scattered = scattered(hash);
        long window = place(scattered);
        long fingerprint = fingerprint(scattered);
        long code = code(fingerprint);
        long other = pairing.other(window, fingerprint);
        boolean isNew = (matches(window, code) | matches(other, code)) == 0;
        starts[0] = window;
        starts[1] = window + 1;
        starts[2] = other;
        starts[3] = other + 1;
        long slot = firstFree();
        if (slot < 0) {
            slot = kicks.free(starts, starts.length);
        }
        boolean isFirst = slot == window || slot == window + 1;
        return put(slot, code + slot - (isFirst ? window : other), isNew, Math.min(window, other), fingerprint);
    }

    private long firstFree() {
        for (long slot : starts) {
            if (slots.get(slot) == 0) {
                return slot;
            }
        }
        return -1;
    }

    @Override
    public boolean deleteHash(long hash) {
        long scattered = scattered(hash);
        long window = place(scattered);
        long fingerprint = fingerprint(scattered);
        long code = code(fingerprint);
        long other = pairing.other(window, fingerprint);
        long slot = find(window, code);
        if (slot < 0) {
            slot = find(other, code);
        }
        if (slot < 0) {
            return false;
        }
        if (!isUncounted(Math.min(window, other), fingerprint)) {
            take(slot);
        }
        return true;
    }

    /** The slot of a window that holds a fingerprint of the window; -1 if there is none. */
    private long find(long window, long code) {
        for (int offset = 0; offset < WINDOW; offset++) {
            if (slots.get(window + offset) == code + offset) {
                return window + offset;
            }
        }
        return -1;
    }

    @Override
    TableForm form() {
        return FORM;
    }

    @Override
    ImageForm.Writer extended(ImageForm.Writer writer) {
        return writer;
    }

    static WindowedCuckooFilter read(FilterImage image) {
        WindowedCuckooFilter filter = new WindowedCuckooFilter(FORM.slots(image, Placement.WINDOWS), FORM.seed(image));
        filter.readCount(image);
        return filter;
    }

    @Override
    public void checkInvariants() {
        super.checkInvariants();
        long highest = 2 * placement.fingerprints(width);
        for (long slot = 0; slot < slots.length(); slot++) {
            long code = slots.get(slot);
            long window = slot - offset(code);
            if (code != 0 && (code > highest || window < 0 || window >= placeCount)) {
                throw new IllegalStateException("slot " + slot + " holds " + code + ", which is of no window");
            }
        }
    }

    /** A fingerprint moves to the other slot of its window, or to the other window. */
    private final class WindowMoves implements KickSearch.Moves {

        @Override
        public int collect(long slot, long[] targets) {
            long code = slots.get(slot);
            long window = slot - offset(code);
            long other = pairing.other(window, fingerprintOf(code));
            targets[0] = window + 1 - offset(code);
            targets[1] = other;
            targets[2] = other + 1;
            int found = 0;
            for (int i = 0; i < 3; i++) {
                long target = targets[i];
                if (slots.get(target) == 0) {
                    targets[0] = target;
                    return FREE;
                }
                if (target != slot) {
                    targets[found++] = target;
                }
            }
            return found;
        }

        @Override
        public void move(long from, long to) {
            long code = slots.get(from);
            long window = from - offset(code);
            long target = to == window || to == window + 1 ? window : pairing.other(window, fingerprintOf(code));
            slots.set(to, code - offset(code) + to - target);
            slots.set(from, 0);
        }
    }
}
