package dev.besom.broom;

import dev.besom.adaptive.Extensions;
import java.util.Arrays;

/** The extensions of one bin, unpacked in the order of their slots: scratch space of whoever changes them. */
final class ExtensionList {

    private static final int MOST = BinLayout.MOST;

    private int size;
    private final int[] slots = new int[MOST];
    private final long[] extensions = new long[MOST];

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
     * Unpacks a code.
     *
     * @throws IllegalStateException if nothing could have written it
     */
    void read(long[] code) {
        size = 0;
        int at = 0;
        for (int next = ExtensionCode.slotAt(code, 0); next != 0; next = ExtensionCode.slotAt(code, at)) {
            int length = ExtensionCode.lengthAt(code, at);
            if (length > Extensions.MOST_LENGTH || size == MOST) {
                throw new IllegalStateException(size + " extensions, and one of " + length + " bits");
            }
            slots[size] = next - 1;
            extensions[size] = ExtensionCode.extensionAt(code, at, length);
            at += ExtensionCode.sizeOf(extensions[size]);
            size++;
        }
    }

    /** The code in as many words as it needs. */
    long[] toCode() {
        long[] code = new long[ExtensionCode.words(sizeInBits())];
        int at = 0;
        for (int i = 0; i < size; i++) {
            at = ExtensionCode.put(code, at, slots[i], extensions[i]);
        }
        return code;
    }

    /** The bits of the code. */
    int sizeInBits() {
        int bits = 0;
        for (int i = 0; i < size; i++) {
            bits += ExtensionCode.sizeOf(extensions[i]);
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
            if (size == MOST) {
                return false;
            }
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
