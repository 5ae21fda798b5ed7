package dev.besom.bench.lists;

import dev.besom.bench.NpmArchive;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.Mix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * A real list: the domains that a wallet blocks and those that it must let pass, from the npm package eth-phishing-detect. Each
 * way to keep such a list is built, every domain is queried, and sizes and wrong answers are printed; then the same for random
 * keys, of which there are more.
 *
 * <p>A domain on both sides is one that must pass, as in the package itself.
 *
 * <p>Arguments: an archive that is there already, or none to have npm fetch it.
 */
public final class PhishingList {

    private static final String PACKAGE = "eth-phishing-detect@1.2.0";
    private static final String ENTRY = "package/src/config.json";
    private static final Pattern TEXT = Pattern.compile("\"([^\"]*)\"");
    private static final long SEED = 20_240_602;

    private PhishingList() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            NpmArchive.use(arguments, PACKAGE, PhishingList::run);
        } catch (IOException e) {
            System.out.println("No real domains: " + e.getMessage());
        }
        System.out.println();
        new ListWays(hashes(100_000, 1), hashes(100_000, 2), hashes(100_000, 3)).print(0.01);
    }

    private static void run(Path archive) throws IOException {
        String config = NpmArchive.text(archive, ENTRY);
        Set<String> blocked = texts(config, "blacklist");
        Set<String> allowed = texts(config, "whitelist");
        int listed = blocked.size();
        blocked.removeAll(allowed);
        System.out.println(archive.getFileName() + ": " + listed + " blocked and " + allowed.size() + " allowed, "
                + (listed - blocked.size()) + " of them both, which may pass");
        long[] no = hashes(allowed);
        // Half of the allowed ones are known when the list is built, the other half later.
        for (double fpp : new double[] {0.5, 0.01, 0.0001}) {
            ListWays ways = new ListWays(
                    hashes(blocked),
                    Arrays.copyOf(no, no.length / 2),
                    Arrays.copyOfRange(no, no.length / 2, no.length));
            System.out.println();
            ways.print(fpp);
        }
    }

    /** The texts of an array of a JSON object, each once. */
    static Set<String> texts(String json, String name) throws IOException {
        Matcher array =
                Pattern.compile("\"" + name + "\"\\s*:\\s*\\[([^\\]]*)\\]").matcher(json);
        if (!array.find()) {
            throw new IOException("no array " + name + " in " + ENTRY);
        }
        Set<String> texts = new LinkedHashSet<>();
        Matcher text = TEXT.matcher(array.group(1));
        while (text.find()) {
            texts.add(text.group(1));
        }
        return texts;
    }

    private static long[] hashes(Set<String> texts) {
        KeyHasher<CharSequence> hasher = KeyHasher.utf8();
        return texts.stream().mapToLong(hasher::hash).toArray();
    }

    private static long[] hashes(int count, long stream) {
        return LongStream.range(0, count).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }
}
