package dev.besom.hash;

/** The keyed functions of the secret hashers. */
public enum SecretHash {

    /** The authors' choice where an attacker must not win: the default. */
    SIPHASH_2_4("siphash24:1", 2, 4),

    /** Half of the rounds for each word and so faster on long keys; its margin against attacks to come is thinner. */
    SIPHASH_1_3("siphash13:1", 1, 3);

    private final String bytesId;
    private final String longsId;
    private final String function;
    private final int compressionRounds;
    private final int finalRounds;

    SecretHash(String name, int compressionRounds, int finalRounds) {
        this.bytesId = "bytes:" + name;
        this.longsId = "longs:" + name;
        this.function = name;
        this.compressionRounds = compressionRounds;
        this.finalRounds = finalRounds;
    }

    String bytesId() {
        return bytesId;
    }

    String longsId() {
        return longsId;
    }

    /** The end of an id: the function and its version. */
    String function() {
        return function;
    }

    int compressionRounds() {
        return compressionRounds;
    }

    int finalRounds() {
        return finalRounds;
    }
}
