package dev.besom.broom;

import dev.besom.FilterFullException;
import dev.besom.adaptive.Extensions;
import dev.besom.bits.BitMoves;
import dev.besom.bits.Words;
import java.util.Arrays;

/**
 * Keys that have no room in their primary bins. Neighbouring bins with 4096 runs in all share a page, which is as long as it
 * has to be.
 *
 * <pre>
 *   page      | how many entries | entries in ascending order, without gaps | code of their extensions |
 *               a word             whole words                                whole words, or none
 *   entry     | bin in group * runs + run, 12 bits | remainder |
 *
 *   in a section: each page after its length in words; an empty one has none
 * </pre>
 *
 * The keys of a bin are neighbours, in the order of their runs, so that the one that comes back to its bin next is found at once.
 *
 * <p>A page is never changed: a change puts another one in its place. Pages are so small that it costs no more than a few
 * cache lines.
 *
 * <p>There is one bound for the entries of all pages together: what all bins of a filter have too much varies far less than
 * what a few have. A page's first word of code is its own; more are taken from the budget of the spill.
 */
final class OverflowPages extends Area {

    /** The width of a quotient's number in its group. */
    private static final int NUMBER_BITS = 12;

    /** Entries are numbered from 1 in ten bits, and the last number stands for none. */
    private static final int MOST_ENTRIES = 1022;

    private static final int ENTRIES_FROM = 1;

    /** What a page takes beside its words: the header of an array, and a reference to it. */
    private static final int WORDS_BESIDE_PAGE = 3;

    /** What a page takes at most beside full words of entries: the count, an unfilled word, one of code, and what is beside it. */
    private static final int MOST_WORDS_BESIDE_ENTRIES = 3 + WORDS_BESIDE_PAGE;

    private static final long[] EMPTY = {};

    private final ExtensionCode form = ExtensionCode.forSlots(MOST_ENTRIES);
    private final ExtensionList list = new ExtensionList(form, MOST_ENTRIES);
    private final BinSpill.Budget budget;
    private final int runs;
    private final int remainderBits;
    private final int width;
    private final int groupBins;
    private final long most;
    private final long[][] pages;
    private long size;

    OverflowPages(BroomShape shape, BinSpill.Budget budget) {
        this.budget = budget;
        this.runs = shape.runs();
        this.remainderBits = shape.remainderBits();
        this.width = NUMBER_BITS + remainderBits;
        this.groupBins = groupBins(runs);
        this.most = shape.overflow();
        this.pages = new long[pageCount(shape.bins(), runs)][];
        Arrays.fill(pages, EMPTY);
    }

    /** How many primary bins share a page. */
    private static int groupBins(int runs) {
        return (1 << NUMBER_BITS) / runs;
    }

    private static int pageCount(int bins, int runs) {
        return (bins - 1) / groupBins(runs) + 1;
    }

    /** The most words that pages of so many entries together take, without what the spill pays for. */
    static long mostWords(int bins, int runs, int remainderBits, long entries) {
        long inEntries = Words.forBits(Math.multiplyExact(entries, NUMBER_BITS + remainderBits));
        return inEntries + (long) pageCount(bins, runs) * MOST_WORDS_BESIDE_ENTRIES;
    }

    private int group(int home) {
        return home / groupBins;
    }

    private long value(int home, int run, long remainder) {
        return ((long) (home - group(home) * groupBins) * runs + run) << remainderBits | remainder;
    }

    private static int count(long[] page) {
        return page.length == 0 ? 0 : (int) page[0];
    }

    private long value(long[] page, int entry) {
        int bit = entry * width;
        int at = ENTRIES_FROM + (bit >>> 6);
        long value = page[at] >>> bit;
        if ((bit & 63) + width > Long.SIZE) {
            value |= page[at + 1] << -bit;
        }
        return value & (1L << width) - 1;
    }

    private void setValue(long[] page, int entry, long value) {
        int bit = entry * width;
        int at = ENTRIES_FROM + (bit >>> 6);
        long mask = (1L << width) - 1;
        page[at] = (page[at] & ~(mask << bit)) | value << bit;
        if ((bit & 63) + width > Long.SIZE) {
            page[at + 1] = (page[at + 1] & ~(mask >>> -bit)) | value >>> -bit;
        }
    }

    /** The first entry that is not below a value. */
    private int lowerBound(long[] page, long value) {
        int low = 0;
        int high = count(page);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (value(page, middle) < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Where the code of a page with so many entries begins, in words. */
    private int codeFrom(int entries) {
        return ENTRIES_FROM + (int) Words.forBits((long) entries * width);
    }

    private long extension(long[] page, int entry) {
        int from = codeFrom(count(page));
        return from == page.length
                ? Extensions.EMPTY
                : form.find(page, from * Long.SIZE, page.length * Long.SIZE, entry);
    }

    /** Whether there is a fingerprint of which an extension is a prefix of a word. */
    boolean mightContain(int home, int run, long remainder, long following) {
        long[] page = pages[group(home)];
        long value = value(home, run, remainder);
        int count = count(page);
        for (int entry = lowerBound(page, value); entry < count && value(page, entry) == value; entry++) {
            if (Extensions.isPrefix(extension(page, entry), following)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is a look-alike of a fingerprint. */
    boolean hasLookAlike(int home, int run, long remainder) {
        long[] page = pages[group(home)];
        long value = value(home, run, remainder);
        int entry = lowerBound(page, value);
        return entry < count(page) && value(page, entry) == value;
    }

    /** Lists the look-alikes of a fingerprint. */
    void gather(int home, int run, long remainder, LookAlikes found) {
        int group = group(home);
        long[] page = pages[group];
        long value = value(home, run, remainder);
        int count = count(page);
        for (int entry = lowerBound(page, value); entry < count && value(page, entry) == value; entry++) {
            found.add(entry(group, entry));
        }
    }

    /**
     * Makes sure that one more key of a bin fits.
     *
     * @throws FilterFullException if it does not
     */
    void checkRoom(int home) {
        if (size >= most || count(pages[group(home)]) == MOST_ENTRIES) {
            throw new FilterFullException("bin " + home + " is full, and " + size + " keys are elsewhere");
        }
    }

    /** Adds a fingerprint without an extension, for which there is {@link #checkRoom room}. */
    Entry.InBin add(int home, int run, long remainder) {
        int group = group(home);
        long[] page = pages[group];
        long value = value(home, run, remainder);
        int entry = lowerBound(page, value);
        int count = count(page);
        readCode(page);
        list.open(entry);
        long[] changed = pageOf(count + 1, page);
        BitMoves.up(changed, ENTRIES_FROM, entry * width, count * width, width);
        setValue(changed, entry, value);
        put(group, changed);
        size++;
        cover(WHOLE);
        return new Entry.InBin(this, group, entry, Extensions.EMPTY);
    }

    /** Takes an entry away. */
    void remove(int group, int entry) {
        long[] page = pages[group];
        cover(-covered(extension(page, entry)));
        int count = count(page);
        readCode(page);
        list.close(entry);
        long[] all = page.clone();
        BitMoves.down(all, ENTRIES_FROM, (entry + 1) * width, count * width, width);
        setValue(all, count - 1, 0);
        put(group, count == 1 ? EMPTY : pageOf(count - 1, all));
        size--;
    }

    private void readCode(long[] page) {
        int from = codeFrom(count(page));
        if (from >= page.length) {
            list.clear();
        } else {
            list.read(page, from * Long.SIZE, page.length * Long.SIZE);
        }
    }

    /** A page of so many entries with the entries of another, as far as there is room, and the code of the scratch space. */
    private long[] pageOf(int entries, long[] other) {
        int codeFrom = codeFrom(entries);
        long[] page = new long[codeFrom + ExtensionCode.words(list.sizeInBits())];
        page[0] = entries;
        if (other.length > 0) {
            int copied = Math.min(codeFrom, codeFrom(count(other))) - ENTRIES_FROM;
            System.arraycopy(other, ENTRIES_FROM, page, ENTRIES_FROM, copied);
        }
        list.write(page, codeFrom * Long.SIZE, page.length * Long.SIZE);
        return page;
    }

    private void put(int group, long[] page) {
        budget.take(paidWords(page) - paidWords(pages[group]));
        pages[group] = page;
    }

    /** The words of a page that are taken from the budget of the spill. */
    private int paidWords(long[] page) {
        return page.length == 0 ? 0 : Math.max(0, page.length - codeFrom(count(page)) - 1);
    }

    @Override
    boolean setExtension(int group, int entry, long extension) {
        long[] page = pages[group];
        readCode(page);
        if (!list.set(entry, extension)) {
            return false;
        }
        long[] changed = pageOf(count(page), page);
        int more = paidWords(changed) - paidWords(page);
        if (more > 0 && !budget.hasRoom(more)) {
            return false;
        }
        put(group, changed);
        return true;
    }

    @Override
    long extensionOf(int group, int entry) {
        return extension(pages[group], entry);
    }

    @Override
    int[] extendedSlots(int group) {
        readCode(pages[group]);
        return list.slots();
    }

    @Override
    long quotientOf(int group, int entry) {
        return (long) group * groupBins * runs + (value(pages[group], entry) >>> remainderBits);
    }

    @Override
    long remainderOf(int group, int entry) {
        return value(pages[group], entry) & (1L << remainderBits) - 1;
    }

    /** Whether any key of a bin is here. */
    boolean hasAny(int home) {
        long[] page = pages[group(home)];
        int first = lowerBound(page, value(home, 0, 0));
        return first < count(page) && value(page, first) < value(home, runs, 0);
    }

    /** Somebody who may take a key. */
    @FunctionalInterface
    interface Taker {
        boolean take(int run, long remainder, long extension);
    }

    /**
     * Offers the keys of a bin's first run here one after the other until one is taken, and takes that one away.
     *
     * @return whether one was taken
     */
    boolean offer(int home, Taker taker) {
        int group = group(home);
        long[] page = pages[group];
        long low = value(home, 0, 0);
        int first = lowerBound(page, low);
        int count = count(page);
        if (first == count || value(page, first) >= value(home, runs, 0)) {
            return false;
        }
        int run = (int) ((value(page, first) - low) >>> remainderBits);
        long behind = value(home, run + 1, 0);
        for (int entry = first; entry < count && value(page, entry) < behind; entry++) {
            if (taker.take(run, remainderOf(group, entry), extension(page, entry))) {
                remove(group, entry);
                return true;
            }
        }
        return false;
    }

    /** How many keys are here. */
    long size() {
        return size;
    }

    /** The bits of all extensions. */
    long extensionBits() {
        long bits = 0;
        for (long[] page : pages) {
            readCode(page);
            for (int i = 0; i < list.size(); i++) {
                bits += Extensions.length(list.extension(i));
            }
        }
        return bits;
    }

    /** How many pages have words of the spill's budget. */
    int spilledPages() {
        int spilled = 0;
        for (long[] page : pages) {
            spilled += paidWords(page) > 0 ? 1 : 0;
        }
        return spilled;
    }

    long sizeInBits() {
        long words = 0;
        for (long[] page : pages) {
            words += WORDS_BESIDE_PAGE + page.length;
        }
        return words * Long.SIZE;
    }

    long[] section() {
        long length = pages.length;
        for (long[] page : pages) {
            length += page.length;
        }
        long[] section = Words.allocate(length);
        int at = Words.LEAD;
        for (long[] page : pages) {
            section[at++] = page.length;
            System.arraycopy(page, 0, section, at, page.length);
            at += page.length;
        }
        return section;
    }

    /**
     * Fills empty pages from a section.
     *
     * @throws IllegalStateException if no pages of this number wrote it
     */
    void read(long[] section) {
        int at = Words.LEAD;
        for (int group = 0; group < pages.length; group++) {
            long length = at < section.length ? section[at++] : -1;
            if (length < 0 || length > section.length - at) {
                throw new IllegalStateException("the overflow ends before page " + group);
            }
            long[] page = length == 0 ? EMPTY : Arrays.copyOfRange(section, at, at + (int) length);
            at += (int) length;
            checkPage(group, page);
            budget.takeRead(paidWords(page));
            pages[group] = page;
            size += count(page);
        }
        if (at != section.length) {
            throw new IllegalStateException("the overflow goes on behind its last page");
        }
    }

    private void checkPage(int group, long[] page) {
        if (page.length == 0) {
            return;
        }
        long count = page[0];
        if (count < 1 || count > MOST_ENTRIES || codeFrom((int) count) > page.length) {
            throw new IllegalStateException("page " + group + " of the overflow has " + count + " entries");
        }
        readCode(page);
        if (list.size() > 0 && list.slot(list.size() - 1) >= count) {
            throw new IllegalStateException("page " + group + " of the overflow extends what is not there");
        }
        for (int i = 0; i < list.size(); i++) {
            if (i > 0 && list.slot(i) <= list.slot(i - 1)) {
                throw new IllegalStateException("page " + group + " of the overflow extends an entry twice");
            }
        }
        if (!Arrays.equals(page, pageOf((int) count, page))) {
            throw new IllegalStateException("page " + group + " of the overflow has bits that nothing wrote");
        }
        int unused = codeFrom((int) count) * Long.SIZE - (ENTRIES_FROM * Long.SIZE + (int) count * width);
        if (unused > 0 && page[codeFrom((int) count) - 1] >>> (Long.SIZE - unused) != 0) {
            throw new IllegalStateException("page " + group + " of the overflow has bits behind its entries");
        }
        for (int entry = 1; entry < count; entry++) {
            if (value(page, entry) < value(page, entry - 1)) {
                throw new IllegalStateException("page " + group + " of the overflow is not in order");
            }
        }
    }

    /**
     * Checks all pages, and counts anew what is covered.
     *
     * @param bins of which no key may be missing that follows those in its bin, nor any be here that does not
     * @return how many keys there are
     * @throws IllegalStateException if anything is damaged, or a key is where it does not belong
     */
    long check(LineBins bins) {
        long keys = 0;
        long coverage = 0;
        boolean[] have = new boolean[bins.binCount];
        for (int group = 0; group < pages.length; group++) {
            checkPage(group, pages[group]);
            int count = count(pages[group]);
            keys += count;
            for (int entry = 0; entry < count; entry++) {
                coverage += covered(extension(pages[group], entry));
                long home = quotientOf(group, entry) / runs;
                if (home >= bins.binCount || home / groupBins != group) {
                    throw new IllegalStateException("entry " + entry + " of page " + group + " belongs to no bin");
                }
                have[(int) home] = true;
                if (quotientOf(group, entry) % runs < bins.lastRun(bins.base((int) home))) {
                    throw new IllegalStateException("entry " + entry + " of page " + group + " belongs into its bin");
                }
            }
        }
        for (int bin = 0; bin < have.length; bin++) {
            if (bins.hasElsewhere(bins.base(bin)) != have[bin]) {
                throw new IllegalStateException("bin " + bin + (have[bin] ? " hides" : " misses") + " keys elsewhere");
            }
        }
        if (keys != size || size > most) {
            throw new IllegalStateException(keys + " keys are in the overflow where " + size + " are counted");
        }
        cover(coverage - coverage());
        return keys;
    }
}
