package dev.besom.broom;

import dev.besom.adaptive.Extensions;
import java.util.Arrays;

/** Extensions of slots, unpacked in the order of their slots: scratch space of whoever changes them. */
final class ExtensionList {

    private static final int FIRST_LENGTH = 16;

    private final ExtensionCode form;
    private final int most;
    private int size;
    private int[] slots = new int[FIRST_LENGTH];
    private long[] extensions = new long[FIRST_LENGTH];

    /** @param most how many slots there are */
    ExtensionList(ExtensionCode form, int most) {
        this.form = form;
        this.most = most;
    }

    int size() {
        return size;
    }

    int slot(int index) {
        return slots[index];
    }

    long extension(int index) {
        return extensions[index];
    }

    /** The slots that have extensions, as a new array. */
    int[] slots() {
        return Arrays.copyOf(slots, size);
    }

    void clear() {
        size = 0;
    }

    /**
     * Unpacks a code that is between two bits of an array.
     *
     * @throws IllegalStateException if nothing could have written it
     */
    void read(long[] code, int from, int to) {
        size = 0;
        int low = from;
        int high = to;
        while (high - low >= form.leastSize()) {
            int next = form.slotAt(code, low);
            if (next == 0) {
                return;
            }
            int length = ExtensionCode.lengthBelow(code, high);
            low += form.slotBits();
            if (length > Extensions.MOST_LENGTH || 2 * length > high - low || size == most) {
                throw new IllegalStateException(size + " extensions, and one of " + length + " bits");
            }
            ensureRoom();
            slots[size] = next - 1;
            extensions[size] = ExtensionCode.extensionBelow(code, high, length);
            high -= 2 * length;
            size++;
        }
    }

    private void ensureRoom() {
        if (size == slots.length) {
            slots = Arrays.copyOf(slots, 2 * size);
            extensions = Arrays.copyOf(extensions, 2 * size);
        }
    }

    /** The code in a string of so many bits. */
    long[] toCode(int bits) {
        long[] code = new long[ExtensionCode.words(bits)];
        write(code, 0, bits);
        return code;
    }

    /** Puts the code between two bits of an array where that is empty. */
    void write(long[] code, int from, int to) {
        int low = from;
        int high = to;
        for (int i = 0; i < size; i++) {
            ExtensionCode.or(code, low, slots[i] + 1L);
            low += form.slotBits();
            high = ExtensionCode.putBelow(code, high, extensions[i]);
        }
    }

    /** The bits that the code takes. */
    int sizeInBits() {
        int bits = 0;
        for (int i = 0; i < size; i++) {
            bits += form.sizeOf(extensions[i]);
        }
        return bits;
    }

    /** Gives a slot another extension, which may be none; false, and no change, if there are too many. */
    boolean set(int slot, long extension) {
        int at = Arrays.binarySearch(slots, 0, size, slot);
        if (extension == Extensions.EMPTY) {
            if (at >= 0) {
                remove(at);
            }
            return true;
        }
        if (at < 0) {
            if (size == most) {
                return false;
            }
            ensureRoom();
            at = ~at;
            System.arraycopy(slots, at, slots, at + 1, size - at);
            System.arraycopy(extensions, at, extensions, at + 1, size - at);
            size++;
        }
        slots[at] = slot;
        extensions[at] = extension;
        return true;
    }

    /** Makes room for a slot that is new in the bin; it has no extension. */
    void open(int slot) {
        for (int i = size - 1; i >= 0 && slots[i] >= slot; i--) {
            slots[i]++;
        }
    }

    /** Forgets the extension of a slot that is taken away. */
    void close(int slot) {
        for (int i = size - 1; i >= 0 && slots[i] >= slot; i--) {
            if (slots[i] == slot) {
                remove(i);
            } else {
                slots[i]--;
            }
        }
    }

    private void remove(int at) {
        System.arraycopy(slots, at + 1, slots, at, size - at - 1);
        System.arraycopy(extensions, at + 1, extensions, at, size - at - 1);
        size--;
    }
}
