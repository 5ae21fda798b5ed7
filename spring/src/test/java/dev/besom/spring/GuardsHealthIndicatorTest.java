package dev.besom.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.ForwardingGuard;
import dev.besom.guard.Guard;
import dev.besom.guard.GuardState;
import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class GuardsHealthIndicatorTest {

    private final Guard<Long, Long> inner = Guard.over(new MemoryStore<>(), KeyHasher.longs(0x6865616C));
    private GuardState state = GuardState.SERVING;

    /** A guard in any state. */
    private final class Posing extends ForwardingGuard<Long, Long> {
        @Override
        protected Guard<Long, Long> delegate() {
            return inner;
        }

        @Override
        public GuardState state() {
            return state;
        }
    }

    @AfterEach
    void close() {
        inner.close();
    }

    private Health health() {
        GuardOpener opener = new GuardOpener(new StaticListableBeanFactory());
        Guards guards = new Guards(Map.of(), opener, Map.of("posing", new Posing()));
        return Objects.requireNonNull(new GuardsHealthIndicator(guards).health());
    }

    private void assertHealth(Status status, String detail) {
        assertThat(health().getStatus()).isEqualTo(status);
        assertThat(health().getDetails()).containsExactly(Map.entry("posing", detail));
    }

    @Test
    void aGuardIsServingPrimingOrWithoutItsLease() {
        assertHealth(Status.UP, "serving");
        state = GuardState.PRIMING;
        assertHealth(Status.UP, "priming");
        state = GuardState.LEASE_LOST;
        assertHealth(Status.OUT_OF_SERVICE, "lease lost");
        state = GuardState.CLOSED;
        assertHealth(Status.OUT_OF_SERVICE, "closed");
    }
}
