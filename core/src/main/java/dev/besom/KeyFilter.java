package dev.besom;

import dev.besom.hash.KeyHasher;
import java.util.Objects;

/**
 * A hasher bound to a filter, for those who have keys and do not care for hashes. What can be done with it is what can
 * be done with the filter: an {@link InsertableKeyFilter} takes keys, a {@link DeletableKeyFilter} gives them up again.
 *
 * <pre>{@code
 *   var seen = KeyFilter.of(KeyHasher.utf8(), filter);
 *   seen.add("besom");
 *   seen.mightContain("broom");
 * }</pre>
 *
 * <p>It adds nothing to the filter's own promises, those about threads included. Keys of type {@code Long} are boxed
 * here; where that matters, ask the filter itself with {@code longHasher.hash(key)}.
 */
public sealed class KeyFilter<K> permits InsertableKeyFilter {

    private final KeyHasher<? super K> hasher;
    private final MembershipFilter filter;

    KeyFilter(KeyHasher<? super K> hasher, MembershipFilter filter) {
        this.hasher = Objects.requireNonNull(hasher, "hasher");
        this.filter = Objects.requireNonNull(filter, "filter");
    }

    /** Binds a filter that can only be asked. */
    public static <K> KeyFilter<K> of(KeyHasher<? super K> hasher, MembershipFilter filter) {
        return new KeyFilter<>(hasher, filter);
    }

    /** Binds a filter that takes keys. */
    public static <K> InsertableKeyFilter<K> of(KeyHasher<? super K> hasher, InsertableFilter filter) {
        return new InsertableKeyFilter<>(hasher, filter);
    }

    /** Binds a filter that takes keys and gives them up again. */
    public static <K> DeletableKeyFilter<K> of(KeyHasher<? super K> hasher, DeletableFilter filter) {
        return new DeletableKeyFilter<>(hasher, filter);
    }

    /** False: certainly not there. True: maybe. */
    public final boolean mightContain(K key) {
        return filter.mightContainHash(hasher.hash(key));
    }

    public MembershipFilter filter() {
        return filter;
    }

    public final KeyHasher<? super K> hasher() {
        return hasher;
    }
}
