package dev.besom.cli;

import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.LossyRemovalFilter;
import dev.besom.spi.PersistentFilter;
import java.util.function.LongPredicate;
import picocli.CommandLine.Command;

/** Takes keys out of a filter file. */
@Command(
        name = "remove",
        description = "Take keys out of a filter file.",
        footer = {
            "",
            "Remove only keys that were added, each as often as it was added at most: a filter cannot tell a key that was"
                    + " never added from one with the same fingerprint, and would lose that one. A key that it answers"
                    + " \"no\" for changes nothing. The file is replaced at the end, whole or not at all.",
            "",
            "Adaptive kinds need the store whose keys they hold to remove one; use a guard for that.",
            "",
            "Example:",
            "  besom remove users.besom gone.txt"
        })
final class RemoveCommand extends ChangeCommand {

    @Override
    LongPredicate change(Opened opened) {
        PersistentFilter filter = opened.filter();
        String file = opened.file();
        String kind = FilterFiles.kindOf(filter).name();
        if (filter instanceof AdaptiveFilter) {
            throw new InputException(
                    file + ": filters of kind " + kind + " remove keys with the help of their store only");
        }
        if (filter instanceof DeletableFilter deletable) {
            return deletable::deleteHash;
        }
        if (filter instanceof LossyRemovalFilter lossy) {
            console()
                    .complain(
                            "warning: after removals a " + kind + " filter can answer \"no\" for a key that is there");
            return lossy::removeHash;
        }
        throw new InputException(file + ": keys cannot be removed from filters of kind " + kind);
    }

    @Override
    String changedWord() {
        return "removed";
    }
}
