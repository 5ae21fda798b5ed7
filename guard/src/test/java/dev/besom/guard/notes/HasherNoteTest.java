package dev.besom.guard.notes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.MemoryStore;
import dev.besom.guard.store.Notes;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HasherNoteTest {

    /** Notes during one call of which, counted from 1 on, another guard of the same store starts. */
    private static final class SharedNotes implements Notes {
        private final Notes inner;
        private final int startAt;
        private int calls;

        @Nullable
        HasherStamp other;

        SharedNotes(Notes inner, int startAt) {
            this.inner = inner;
            this.startAt = startAt;
        }

        private void call() {
            if (++calls == startAt) {
                other = stamp(inner);
            }
        }

        @Override
        public byte @Nullable [] read(String name) {
            byte[] read = inner.read(name);
            call();
            return read;
        }

        @Override
        public void write(String name, byte[] contents) {
            call();
            inner.write(name, contents);
        }

        @Override
        public byte[] writeIfAbsent(String name, byte[] contents) {
            call();
            return inner.writeIfAbsent(name, contents);
        }

        @Override
        public void remove(String name) {
            call();
            inner.remove(name);
        }
    }

    private static HasherStamp stamp(Notes notes) {
        return HasherNote.<CharSequence>choose(KeyHasher.utf8(), notes, () -> false)
                .stamp();
    }

    @Test
    void twoGuardsThatStartAtOnceHaveOneSecret() {
        int startAt = 1;
        SharedNotes shared;
        do {
            Notes notes = new MemoryStore<String, String>().notes();
            shared = new SharedNotes(notes, startAt++);
            HasherStamp chosen = stamp(shared);
            if (shared.other != null) {
                assertThat(chosen).as("started at call %s", startAt - 1).isEqualTo(shared.other);
            }
            assertThat(stamp(notes)).as("the next start").isEqualTo(chosen);
        } while (shared.other != null);
        assertThat(startAt).as("calls of the notes").isGreaterThan(2);
    }

    @Test
    void aSecretThatAnotherGuardHasJustMadeIsNoReasonToRefuse() {
        Notes notes = new MemoryStore<String, String>().notes();
        HasherStamp[] other = new HasherStamp[1];
        HasherStamp chosen = HasherNote.<CharSequence>choose(KeyHasher.utf8(), notes, () -> {
                    // The other guard has stored its first key by now.
                    other[0] = stamp(notes);
                    return true;
                })
                .stamp();
        assertThat(chosen).isEqualTo(other[0]);
    }

    private record Seat(String train, int number) {}

    /** A hasher of the user's own. */
    private record OwnHasher(boolean needsNoSecret) implements KeyHasher<Seat> {

        @Override
        public long hash(Seat seat) {
            return seat.hashCode();
        }

        @Override
        public HasherStamp stamp() {
            return new HasherStamp("seats:1", 0);
        }
    }

    @Test
    void everyHasherThatBesomMakesWithoutASeedBecomesASecretOne() {
        KeyHasher<Seat> seats =
                KeyHasher.of("seat", (seat, sink) -> sink.putText(seat.train()).putInt(seat.number()));
        for (KeyHasher<?> plain : List.of(
                KeyHasher.bytes(),
                KeyHasher.utf8(),
                KeyHasher.chars(),
                KeyHasher.longs(),
                KeyHasher.ints(),
                KeyHasher.uuids(),
                seats,
                KeyHasher.<Seat>ofBytes("seat", seat -> seat.train().getBytes(StandardCharsets.UTF_8)))) {
            Notes notes = new MemoryStore<String, String>().notes();
            HasherStamp stamp = HasherNote.choose(plain, notes, () -> false).stamp();
            assertThat(stamp.isSecret()).as(plain.toString()).isTrue();
            assertThat(HasherNote.choose(plain, notes, () -> true).stamp()).isEqualTo(stamp);
        }
    }

    @Test
    void hasherThatHasNoFormUnderASecretIsRefusedUnlessItSaysThatItNeedsNone() {
        MemoryStore<Seat, Long> store = new MemoryStore<>();
        assertThatThrownBy(() -> Guard.over(store, new OwnHasher(false)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("seats:1")
                .hasMessageContaining("KeyHasher.of");
        try (StoreGuard<Seat, Long> guard = Guard.over(store, new OwnHasher(true))) {
            guard.put(new Seat("IC 1", 61), 7L);
            assertThat(guard.get(new Seat("IC 1", 61))).isEqualTo(7L);
        }
    }
}
