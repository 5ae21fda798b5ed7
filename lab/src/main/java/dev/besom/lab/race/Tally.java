package dev.besom.lab.race;

/**
 * What became of the queries of a race.
 *
 * @param answers what the filter said
 * @param repairs how false positives were repaired
 * @param rounds how an adversary fared
 * @param changes how keys came and went
 * @param sizeInBits memory of the filter after the queries, with all that repairs took
 */
public record Tally(Answers answers, Repairs repairs, Rounds rounds, Changes changes, long sizeInBits) {

    /**
     * What the filter said.
     *
     * @param queries all queries
     * @param falsePositives queries for keys that are not stored and were answered "maybe"
     * @param distinctFalsePositives different keys among the false positives
     * @param remoteReads reads of the dictionary: one for each query answered "maybe", hit or not
     * @param falseNegatives stored keys that were answered "no" when all were looked up again at the end
     */
    public record Answers(
            long queries, long falsePositives, long distinctFalsePositives, long remoteReads, long falseNegatives) {

        /** Queries for keys that are not stored. */
        public long misses() {
            return queries - (remoteReads - falsePositives);
        }

        /** False positives for each query for a key that is not stored; 0 where there was none. */
        public double falsePositiveRate() {
            return misses() == 0 ? 0 : falsePositives / (double) misses();
        }
    }

    /**
     * How false positives were repaired.
     *
     * @param done calls of repair that mended the filter
     * @param forgot the repairs among them that gave earlier ones up
     * @param inseparable calls of repair that could not mend the filter
     * @param cost what they took of the store
     */
    public record Repairs(long done, long forgot, long inseparable, StoreCost cost) {}

    /**
     * What repairs took of the store, as the filter counts it.
     *
     * @param rangeReads range reads of the stored hashes
     * @param movedKeys keys that the store moved to another hash
     * @param writes writes that these moves took
     */
    public record StoreCost(long rangeReads, long movedKeys, long writes) {}

    /**
     * How keys came and went.
     *
     * @param inserted keys that were stored between queries; as many left
     * @param deleted those of them that the filter could give up
     */
    public record Changes(long inserted, long deleted) {

        /** Keys stayed. */
        public static final Changes NONE = new Changes(0, 0);
    }

    /**
     * How an adversary fared.
     *
     * @param count rounds of the adversary; 0 where there was none
     * @param lastRate false positives for each query of the last round; NaN where there was none
     */
    public record Rounds(int count, double lastRate) {

        /** No adversary. */
        public static final Rounds NONE = new Rounds(0, Double.NaN);
    }

    /** The same of a race in which keys came and went. */
    public Tally with(Changes made) {
        return new Tally(answers, repairs, rounds, made, sizeInBits);
    }

    /** Whether an adversary played. */
    public boolean hasRounds() {
        return rounds.count > 0;
    }
}
