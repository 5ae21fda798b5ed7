package dev.besom.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar on standard error for work that takes long, if somebody is looking at a terminal. */
final class Progress implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int WIDTH = 79;
    private static final String CLEAR_LINE = "\r\u001B[K";

    private final Console console;
    private final String task;
    private final long total;
    private final long startNanos = System.nanoTime();
    private long done;
    private @Nullable ProgressBar bar;

    /** @param total how many steps there will be, or -1 where nobody knows */
    Progress(Console console, String task, long total) {
        this.console = console;
        this.task = task;
        this.total = total;
    }

    void step(long steps) {
        step(steps, "");
    }

    /** @param doing what is going on now, in a few words */
    void step(long steps, String doing) {
        done += steps;
        if (!console.errorsAreTerminal()) {
            return;
        }
        if (bar == null) {
            if (System.nanoTime() - startNanos < PATIENCE_NANOS) {
                return;
            }
            bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(total)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(200)
                    .continuousUpdate()
                    .setConsumer(new DelegatingProgressBarConsumer(this::draw, WIDTH))
                    .build();
        }
        bar.setExtraMessage(doing);
        bar.stepTo(done);
    }

    private void draw(String line) {
        try {
            console.errors().write((CLEAR_LINE + line).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes the bar away. */
    @Override
    public void close() {
        if (bar != null) {
            bar.close();
            draw("");
        }
    }
}
