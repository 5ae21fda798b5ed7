package dev.besom.spring;

import dev.besom.guard.GuardState;
import java.util.Locale;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Says of each guard whether it serves. One that is priming, or cannot follow its feed, is slower and right, so the application
 * is up. One that has lost its lease sends every lookup to the database and refuses writes: the application is out of service.
 */
final class GuardsHealthIndicator extends AbstractHealthIndicator {

    private final Guards guards;

    GuardsHealthIndicator(Guards guards) {
        super("the guards cannot be looked at");
        this.guards = guards;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.up();
        for (String name : guards.names()) {
            GuardState state = guards.guard(name).state();
            boolean isBehind = state == GuardState.LEASE_LOST && isFed(name);
            health.withDetail(name, isBehind ? "behind" : words(state));
            if (!isBehind && (state == GuardState.LEASE_LOST || state == GuardState.CLOSED)) {
                health.outOfService();
            }
        }
    }

    /** A guard that follows a feed refuses no writes, whatever it knows. */
    private boolean isFed(String name) {
        OpenTableGuard<?> table = guards.tableOrNull(name);
        return table != null && table.contract() == GuardContract.FEED;
    }

    private static String words(GuardState state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
