package dev.besom.cli;

import dev.besom.Adaptation;
import dev.besom.ExcludingFilter;
import dev.besom.stored.MemoryHashes;
import java.io.IOException;
import java.util.List;
import java.util.function.LongPredicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tells a list of keys that are not in it. */
@Command(
        name = "exclude",
        description = "Tell a list of more keys that are not in it, to be answered \"no\" from now on.",
        footer = {
            "",
            "For lists of the kind exact-list-growing. A key takes memory only where the list answered \"maybe\" for it, some 15"
                    + " bits. --yes names all keys of the list, so that none of them is lost. The file is replaced at the"
                    + " end, whole or not at all.",
            "",
            "Example:",
            "  besom exclude list.besom --yes blocked.txt reported-as-harmless.txt"
        })
final class ExcludeCommand extends ChangeCommand {

    @Option(
            names = "--yes",
            required = true,
            paramLabel = "F",
            description = "A file of all keys of the list; may be repeated.")
    private List<String> yes = List.of();

    @Override
    LongPredicate change(Opened opened) throws IOException {
        if (!(opened.filter() instanceof ExcludingFilter list)) {
            throw new InputException(opened.file() + ": filters of kind "
                    + FilterFiles.kindOf(opened.filter()).name()
                    + " cannot be told of keys that are not in them; exact-list-growing can");
        }
        MemoryHashes listed = new MemoryHashes();
        for (long hash : GatheredKeys.hashes(new KeyFiles(yes, console()), opened.layout(), opened.hashing())) {
            listed.add(hash);
            check(list.mightContainHash(hash), "--yes: has a key that is not in " + opened.file());
        }
        check(
                listed.count() >= list.count(),
                "--yes: has fewer keys than the " + Numbers.whole(list.count()) + " of " + opened.file());
        return hash -> exclude(list, hash, listed);
    }

    /** Returns whether the answer is another one than before. */
    private static boolean exclude(ExcludingFilter list, long hash, MemoryHashes listed) {
        boolean isNew = list.mightContainHash(hash);
        if (list.excludeHash(hash, listed) == Adaptation.INSEPARABLE) {
            throw new InputException("KEYS: a key is in the list, which is unchanged");
        }
        return isNew;
    }

    @Override
    String changedWord() {
        return "excluded";
    }
}
