package dev.besom.lab.race;

import dev.besom.InsertableFilter;
import dev.besom.LongKeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.lab.peer.TextFilter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;

/**
 * The measured loops, in a class of their own for each filter that is measured.
 *
 * <p>The compiler inlines a filter's method into a loop only while the loop has seen one or two classes of filters. A
 * loop that measures filters of several kinds in turn would call the third by a table look-up, and charge it for what
 * was measured before. So {@link #fresh()} defines this very class anew, as a hidden class, whose loops have seen
 * nothing yet. What this cannot give back is what filters share between them, such as the default bulk method, whose
 * profile belongs to the interface: for that a JVM of its own is needed.
 */
public final class TimingLoop implements Loop {

    TimingLoop() {}

    /** Loops that no filter has been through. */
    public static Loop fresh() {
        try (InputStream in = TimingLoop.class.getResourceAsStream("TimingLoop.class")) {
            if (in == null) {
                throw new IllegalStateException("the class file of TimingLoop is not at hand");
            }
            return (Loop) MethodHandles.lookup()
                    .defineHiddenClass(in.readAllBytes(), true)
                    .lookupClass()
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot define a loop anew", e);
        }
    }

    @Override
    public int insert(InsertableFilter filter, long[] keys, int from, int count) {
        int added = 0;
        for (int i = from; i < from + count; i++) {
            if (filter.insertHash(keys[i])) {
                added++;
            }
        }
        return added;
    }

    @Override
    public int single(MembershipFilter filter, long[] keys, int from, int count) {
        int positives = 0;
        for (int i = from; i < from + count; i++) {
            if (filter.mightContainHash(keys[i])) {
                positives++;
            }
        }
        return positives;
    }

    @Override
    public int add(LongKeyFilter.Insertable filter, long[] keys, int from, int count) {
        int added = 0;
        for (int i = from; i < from + count; i++) {
            if (filter.add(keys[i])) {
                added++;
            }
        }
        return added;
    }

    @Override
    public int single(LongKeyFilter filter, long[] keys, int from, int count) {
        int positives = 0;
        for (int i = from; i < from + count; i++) {
            if (filter.mightContain(keys[i])) {
                positives++;
            }
        }
        return positives;
    }

    @Override
    public int bulk(MembershipFilter filter, long[] keys, int from, int count, long[] result) {
        filter.mightContainHashes(keys, from, count, result);
        return positives(result, count);
    }

    @Override
    public int bulk(LongKeyFilter filter, long[] keys, int from, int count, long[] result) {
        filter.mightContainEach(keys, from, count, result);
        return positives(result, count);
    }

    @Override
    public void add(TextFilter filter, String[] texts, int from, int count) {
        for (int i = from; i < from + count; i++) {
            filter.add().accept(texts[i]);
        }
    }

    @Override
    public int single(TextFilter filter, String[] texts, int from, int count) {
        int positives = 0;
        for (int i = from; i < from + count; i++) {
            if (filter.mightContain().test(texts[i])) {
                positives++;
            }
        }
        return positives;
    }

    private static int positives(long[] result, int count) {
        int positives = 0;
        for (int i = 0; i < (count + Long.SIZE - 1) / Long.SIZE; i++) {
            positives += Long.bitCount(result[i]);
        }
        return positives;
    }
}
