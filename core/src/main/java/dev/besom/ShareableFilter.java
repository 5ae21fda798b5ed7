package dev.besom;

/** A filter that one thread fills as fast as it can, and that many can fill at once through {@link #shared()}. */
public interface ShareableFilter extends InsertableFilter {

    /**
     * This filter in its form for many writers: the same memory, the same keys. It is the same object each time. As long as
     * several threads insert, all of them do so through it; queries may go to either form.
     */
    ConcurrentFilter shared();
}
