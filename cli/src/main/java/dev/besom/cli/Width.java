package dev.besom.cli;

import java.io.IOException;
import picocli.CommandLine.Option;

/** How wide tables may be: an option of the commands that have more to say than fits a terminal. */
final class Width {

    @Option(
            names = "--wide",
            description =
                    "Show all columns, beside each other, however long the lines are. Default: what fits 80 columns.")
    private boolean isWide;

    boolean isWide() {
        return isWide;
    }

    void print(Table table, Console console) throws IOException {
        if (isWide) {
            table.printWide(console);
        } else {
            table.print(console);
        }
    }
}
