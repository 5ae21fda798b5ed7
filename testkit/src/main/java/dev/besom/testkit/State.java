package dev.besom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.MembershipFilter;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import dev.besom.spi.SectionWords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All that can be seen of a filter at one moment, to tell whether a call changed it: its numbers, its answers to a few
 * hashes and, where it has one, a copy of its image.
 */
final class State {

    private static final int PROBES = 2_000;

    private final List<Object> numbers;
    private final long[] answers;
    private final List<String> image;

    private State(List<Object> numbers, long[] answers, List<String> image) {
        this.numbers = numbers;
        this.answers = answers;
        this.image = image;
    }

    static State of(MembershipFilter filter) {
        List<String> image = filter instanceof PersistentFilter persistent ? textOf(persistent.image()) : List.of();
        return new State(
                List.of(filter.count(), filter.sizeInBits(), filter.expectedFpp()),
                answers(filter, HashStream.fresh(1).next(PROBES)),
                image);
    }

    /** The answers as a bitmap, asked one by one. */
    static long[] answers(MembershipFilter filter, long[] hashes) {
        long[] bitmap = bitmap(hashes.length);
        for (int i = 0; i < hashes.length; i++) {
            if (filter.mightContainHash(hashes[i])) {
                bitmap[i >>> 6] |= 1L << i;
            }
        }
        return bitmap;
    }

    /** An empty bitmap for that many answers. */
    static long[] bitmap(int answers) {
        return new long[(answers + Long.SIZE - 1) / Long.SIZE];
    }

    void assertStillThatOf(MembershipFilter filter) {
        State now = of(filter);
        assertThat(now.numbers).as("count, size and expected rate").isEqualTo(numbers);
        assertThat(now.answers).as("answers").isEqualTo(answers);
        assertThat(now.image).as("image").isEqualTo(image);
    }

    private static List<String> textOf(FilterImage image) {
        List<String> text = new ArrayList<>();
        text.add(image.kind());
        for (int i = 0; i < image.parameterCount(); i++) {
            text.add("parameter " + i + ": " + image.parameter(i));
        }
        for (long[] section : image.sections()) {
            long[] words = Arrays.copyOfRange(section, SectionWords.FIRST, section.length);
            text.add("section of " + words.length + " words, hash " + Arrays.hashCode(words));
        }
        return text;
    }
}
