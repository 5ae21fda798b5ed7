package dev.besom.spring;

import dev.besom.guard.Guard;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Says of each guard whether it serves. One that is priming is slower and right, so the application is up. One that has
 * lost its lease sends every lookup to the database and refuses writes: the application is out of service.
 */
final class GuardsHealthIndicator extends AbstractHealthIndicator {

    static final String SERVING = "serving";
    static final String PRIMING = "priming";
    static final String LEASE_LOST = "lease lost";

    private final Guards guards;

    GuardsHealthIndicator(Guards guards) {
        super("the guards cannot be looked at");
        this.guards = guards;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.up();
        for (String name : guards.names()) {
            String state = state(guards.guard(name));
            health.withDetail(name, state);
            if (state.equals(LEASE_LOST)) {
                health.outOfService();
            }
        }
    }

    private static String state(Guard<?, ?> guard) {
        if (!guard.isServing()) {
            return LEASE_LOST;
        }
        return guard.isPrimed() ? SERVING : PRIMING;
    }
}
