package dev.besom.cli;

import dev.besom.InsertableFilter;
import java.util.function.LongPredicate;
import picocli.CommandLine.Command;

/** Puts more keys into a filter file. */
@Command(
        name = "add",
        description = "Put more keys into a filter file.",
        footer = {
            "",
            "The file is replaced at the end, whole or not at all. A filter takes as many keys as it was planned for (build"
                    + " --n); with more its rate rises, as besom info tells, or it is full and stays as it is.",
            "",
            "Examples:",
            "  besom add words.besom more.txt",
            "  echo besom | besom add words.besom -"
        })
final class AddCommand extends ChangeCommand {

    @Override
    LongPredicate change(Opened opened) {
        if (opened.filter() instanceof InsertableFilter insertable) {
            return insertable::insertHash;
        }
        throw new InputException(opened.file() + ": filters of kind "
                + FilterFiles.kindOf(opened.filter()).name() + " take no keys once they are built");
    }

    @Override
    String changedWord() {
        return "new";
    }
}
