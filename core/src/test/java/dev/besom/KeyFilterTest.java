package dev.besom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.besom.hash.KeyHasher;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyFilterTest {

    @Test
    void keysAreFoundAddedAndRemovedByTheirHashes() {
        ExactSet filter = new ExactSet();
        DeletableKeyFilter<String> keys = KeyFilter.of(KeyHasher.utf8(), filter);
        assertThat(keys.mightContain("besom")).isFalse();
        assertThat(keys.add("besom")).isTrue();
        assertThat(keys.add("besom")).isFalse();
        assertThat(keys.add("")).isTrue();
        assertThat(keys.mightContain("besom")).isTrue();
        assertThat(keys.mightContain("")).isTrue();
        assertThat(filter.mightContainHash(KeyHasher.utf8().hash("besom"))).isTrue();
        assertThat(keys.remove("besom")).isTrue();
        assertThat(keys.remove("besom")).isFalse();
        assertThat(keys.mightContain("besom")).isFalse();
        assertThat(filter.count()).isEqualTo(1);
    }

    @Test
    void whatTheFilterCanDoIsTheTypeOfItsKeyFilter() {
        ExactSet filter = new ExactSet();
        KeyHasher<byte[]> hasher = KeyHasher.bytes();
        assertThat(KeyFilter.of(hasher, (MembershipFilter) filter)).isExactlyInstanceOf(KeyFilter.class);
        assertThat(KeyFilter.of(hasher, (InsertableFilter) filter)).isExactlyInstanceOf(InsertableKeyFilter.class);
        assertThat(KeyFilter.of(hasher, filter)).isExactlyInstanceOf(DeletableKeyFilter.class);
        InsertableKeyFilter<byte[]> insertable = KeyFilter.of(hasher, (InsertableFilter) filter);
        assertThat(insertable.add(new byte[] {1})).isTrue();
        assertThat(insertable.mightContain(new byte[] {1})).isTrue();
        assertThat(insertable.filter()).isSameAs(filter);
        assertThat(insertable.hasher()).isSameAs(hasher);
        KeyFilter<byte[]> readable = KeyFilter.of(hasher, (MembershipFilter) filter);
        assertThat(readable.mightContain(new byte[] {1})).isTrue();
        assertThat(readable.mightContain(new byte[] {2})).isFalse();
        assertThat(readable.filter()).isSameAs(filter);
        assertThat(KeyFilter.of(hasher, filter).filter()).isSameAs(filter);
    }

    @Test
    @SuppressWarnings("NullAway")
    void nothingIsNotAFilter() {
        assertThatNullPointerException().isThrownBy(() -> KeyFilter.of(KeyHasher.longs(), (DeletableFilter) null));
        assertThatNullPointerException().isThrownBy(() -> KeyFilter.<Long>of(null, new ExactSet()));
    }

    /** A filter without mistakes. */
    private static final class ExactSet implements DeletableFilter {

        private final Set<Long> hashes = new HashSet<>();

        @Override
        public boolean mightContainHash(long hash) {
            return hashes.contains(hash);
        }

        @Override
        public boolean insertHash(long hash) {
            return hashes.add(hash);
        }

        @Override
        public boolean deleteHash(long hash) {
            return hashes.remove(hash);
        }

        @Override
        public long count() {
            return hashes.size();
        }

        @Override
        public long sizeInBits() {
            return 64 * count();
        }

        @Override
        public double expectedFpp() {
            return 0;
        }
    }
}
