package dev.besom.compact;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.ImageForm.LongField;
import dev.besom.spi.ImageForm.Section;
import dev.besom.spi.PersistentFilter;

/**
 * Hash compaction: a hash table of short hashes. Where the number of keys is known in advance and the rate is 1 % or lower it is smaller than a Bloom filter
 * of the same rate. It takes no more keys than it has slots, and searches get long when it is nearly full: at worst one looks
 * at every slot.
 *
 * <pre>
 *   hash --&gt; (first slot, signature)       next slot = this slot + step(signature)
 *
 *   slots   | 0 | C4 | 17 | 0 | 90 | ...         0: free
 * </pre>
 *
 * A table is <i>ordered</i>: on its way a key passes only slots of larger signatures. A new signature takes the place of the
 * first smaller one, which moves on along its own way. So a search ends at the first slot that is smaller, equal or free, and
 * misses are as short as hits. The table does not depend on the order in which keys came.
 *
 * <p>A key whose search ends at its own signature counts as present and takes no slot. Keys cannot be deleted: other
 * signatures on the way would have to move back.
 *
 * <p>Departures from the papers: steps follow from the signature, since a signature that moves on has nothing else; any number
 * of slots that is prime.
 *
 * <p>Cost: at 1 % 9.5 bits a key and 3.2 slots a miss, at 0.1 % 13.1 bits and 2.7 slots. Not safe for concurrent use.
 *
 * <p>P. Wolper and D. Leroy: Reliable hashing without collision detection. CAV 1993. U. Stern and D. L. Dill: A new scheme for
 * memory-efficient probabilistic verification. FORTE 1996. O. Amble and D. E. Knuth: Ordered hash tables. The Computer
 * Journal 1974.
 */
public final class HashCompactionFilter implements InsertableFilter, PersistentFilter {

    static final String KIND = "hash-compaction";

    private static final long SEED_SALT = 0x5BE0CD19137E2179L;
    private static final long STEP_SALT = 0x1F83D9ABFB41BD6BL;
    private static final long LOW_HALF = 0xFFFFFFFFL;
    private static final int MOST_SLOTS = 1 << 30;

    static final ImageForm FORM = new ImageForm(KIND);
    static final LongField SLOTS = FORM.whole("slots", "how many slots there are, a prime number");
    private static final LongField SIGNATURE_BITS = FORM.whole("signatureBits", "bits of a slot, 1 to 32");
    private static final LongField SEED = FORM.whole("seed", "seed of the hash functions");
    private static final LongField COUNT = FORM.whole("count", "slots that are taken");
    private static final Section TABLE = FORM.section("table", "signatures, packed, 0 where free; and a word of 0");

    private final PackedArray table;
    private final int slots;
    private final int signatureBits;
    private final long signatures;
    private final long seed;
    private int count;

    private HashCompactionFilter(PackedArray table, long seed) {
        this.table = table;
        this.slots = (int) table.length();
        this.signatureBits = table.widthInBits();
        this.signatures = (1L << signatureBits) - 1;
        this.seed = seed;
    }

    static HashCompactionFilter make(FilterSpec spec) {
        int bits = (int) spec.option(
                "signatureBits", HashCompactionMath.signatureBits(spec.fpp()), 1, HashCompactionMath.WIDEST);
        double load = bits == 0 ? 0 : HashCompactionMath.load(spec.fpp(), bits);
        double wanted = Math.ceil(spec.capacity() / load) + 1;
        if (!(wanted <= MOST_SLOTS) || bits / load > 20 * bits) {
            throw new IllegalArgumentException("no table of short hashes holds " + spec.capacity()
                    + " keys at a false-positive rate of " + spec.fpp());
        }
        return new HashCompactionFilter(new PackedArray(nextPrime((int) wanted), bits), spec.seed());
    }

    private static int nextPrime(int least) {
        int candidate = Math.max(3, least | 1);
        while (!isPrime(candidate)) {
            candidate += 2;
        }
        return candidate;
    }

    private static boolean isPrime(long odd) {
        for (long divisor = 3; divisor * divisor <= odd; divisor += 2) {
            if (odd % divisor == 0) {
                return false;
            }
        }
        return odd > 2 && odd % 2 == 1;
    }

    private long signature(long mixed) {
        return 1 + FastRange.placeOfHalf(mixed & LOW_HALF, signatures);
    }

    private long step(long signature) {
        return 1 + FastRange.place(Mix.mix(signature * STEP_SALT + seed), slots - 1L);
    }

    private long after(long slot, long step) {
        long next = slot + step;
        return next >= slots ? next - slots : next;
    }

    @Override
    public boolean mightContainHash(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        long signature = signature(mixed);
        long slot = FastRange.place(mixed, slots);
        long found = table.get(slot);
        if (found <= signature) {
            return found == signature;
        }
        long step = step(signature);
        for (int passed = 1; passed < slots; passed++) {
            slot = after(slot, step);
            found = table.get(slot);
            if (found <= signature) {
                return found == signature;
            }
        }
        return false;
    }

    /** How many slots the search for a hash looks at. */
    int slotsSearched(long hash) {
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        long signature = signature(mixed);
        long slot = FastRange.place(mixed, slots);
        int searched = 1;
        while (searched < slots && table.get(slot) > signature) {
            slot = after(slot, step(signature));
            searched++;
        }
        return searched;
    }

    /**
     * {@inheritDoc}
     *
     * @throws FilterFullException if all slots are taken
     */
    @Override
    public boolean insertHash(long hash) {
        if (mightContainHash(hash)) {
            return false;
        }
        if (count == slots) {
            throw new FilterFullException("all " + slots + " slots of a table of short hashes are taken");
        }
        long mixed = Mix.mix(hash + seed + SEED_SALT);
        long moving = signature(mixed);
        long slot = FastRange.place(mixed, slots);
        while (true) {
            long found = table.get(slot);
            if (found < moving) {
                table.set(slot, moving);
                if (found == 0) {
                    count++;
                    return true;
                }
                moving = found;
            }
            slot = after(slot, step(moving));
        }
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return table.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return HashCompactionMath.fpp(count, slots, signatureBits);
    }

    @Override
    public FilterImage image() {
        return FORM.write()
                .set(SLOTS, slots)
                .set(SIGNATURE_BITS, signatureBits)
                .set(SEED, seed)
                .set(COUNT, count)
                .set(TABLE, table.words())
                .image();
    }

    static HashCompactionFilter read(FilterImage image) {
        FORM.check(image);
        long slots = image.get(SLOTS, 3, MOST_SLOTS * 2L - 1);
        int bits = (int) image.get(SIGNATURE_BITS, 1, HashCompactionMath.WIDEST);
        long[] words = image.get(TABLE);
        image.check(Words.count(words) == PackedArray.wordCount(slots, bits), "a table of a wrong length");
        image.check(isPrime(slots), slots + " slots are no prime number");
        PackedArray table = image.checked(() -> PackedArray.checked(words, slots, bits));
        HashCompactionFilter filter = new HashCompactionFilter(table, image.get(SEED));
        int taken = 0;
        for (long slot = 0; slot < slots; slot++) {
            taken += table.get(slot) == 0 ? 0 : 1;
        }
        filter.count = (int) image.get(COUNT, taken, taken);
        return filter;
    }
}
