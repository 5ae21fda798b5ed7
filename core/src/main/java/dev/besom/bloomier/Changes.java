package dev.besom.bloomier;

import dev.besom.bits.Words;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm.Section;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Hashes whose answers are given whatever a list says: in ascending order, each with a bit. */
final class Changes {

    static final Changes NONE = new Changes(new long[0], new long[0]);

    private final long[] hashes;
    private final long[] answers;

    private Changes(long[] hashes, long[] answers) {
        this.hashes = hashes;
        this.answers = answers;
    }

    static Changes of(Map<Long, Boolean> answers) {
        long[] hashes = new long[answers.size()];
        long[] bits = new long[(int) Words.forBits(hashes.length)];
        int next = 0;
        for (Map.Entry<Long, Boolean> entry : new TreeMap<>(answers).entrySet()) {
            bits[next >>> 6] |= entry.getValue() ? 1L << next : 0;
            hashes[next++] = entry.getKey();
        }
        return new Changes(hashes, bits);
    }

    /** All hashes with their answers. */
    Map<Long, Boolean> toMap() {
        Map<Long, Boolean> map = new TreeMap<>();
        for (int i = 0; i < hashes.length; i++) {
            map.put(hashes[i], isYes(i));
        }
        return map;
    }

    private boolean isYes(int index) {
        return (answers[index >>> 6] >>> index & 1) != 0;
    }

    /** 1 for "maybe", 0 for "no", and -1 for a hash that is not among these. */
    int answer(long hash) {
        if (hashes.length == 0) {
            return -1;
        }
        int index = Arrays.binarySearch(hashes, hash);
        return index < 0 ? -1 : isYes(index) ? 1 : 0;
    }

    int count() {
        return hashes.length;
    }

    long sizeInBits() {
        return (long) (hashes.length + answers.length) << 6;
    }

    long[] hashSection() {
        return section(hashes);
    }

    long[] answerSection() {
        return section(answers);
    }

    private static long[] section(long[] words) {
        long[] section = Words.allocate(words.length);
        System.arraycopy(words, 0, section, Words.LEAD, words.length);
        return section;
    }

    static Changes read(FilterImage image, Section hashSection, Section answerSection) {
        long[] hashes = Arrays.copyOfRange(image.get(hashSection), Words.LEAD, image.get(hashSection).length);
        long[] answers = Arrays.copyOfRange(image.get(answerSection), Words.LEAD, image.get(answerSection).length);
        image.check(answers.length == Words.forBits(hashes.length), "a wrong number of answers");
        for (int i = 1; i < hashes.length; i++) {
            image.check(hashes[i - 1] < hashes[i], "hashes that are not in order");
        }
        int last = hashes.length & 63;
        image.check(last == 0 || answers[answers.length - 1] >>> last == 0, "answers of no hash");
        return new Changes(hashes, answers);
    }
}
