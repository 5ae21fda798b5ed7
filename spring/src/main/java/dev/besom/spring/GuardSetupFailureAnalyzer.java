package dev.besom.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at a failed start what is wrong with a guard and what to do, without a stack trace. */
final class GuardSetupFailureAnalyzer extends AbstractFailureAnalyzer<GuardSetupException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, GuardSetupException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
