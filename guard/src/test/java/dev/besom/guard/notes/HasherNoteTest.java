package dev.besom.guard.notes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.store.MemoryStore;
import dev.besom.guard.store.Notes;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
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
}
