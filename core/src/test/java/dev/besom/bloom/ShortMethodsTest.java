package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What queries and inserts go through is inlined whatever the compiler has seen of it. A method of more than 35 bytes that is called behind
 * a branch, such as for the second line of a hash, may be left as a call: on Java 25 that made hits a third slower.
 */
class ShortMethodsTest {

    /** HotSpot's MaxInlineSize. */
    private static final int MOST_BYTES = 35;

    private static final Pattern METHOD = Pattern.compile("^ {2}(\\S.*\\(.*\\)).*;$");
    private static final Pattern INSTRUCTION = Pattern.compile("^ +(\\d+): (\\S+)(?: +(\\d+)$)?.*$");

    private static final Pattern CALL = Pattern.compile("^ +\\d+: invoke\\w+ .*// (?:Interface)?Method (\\S+?):.*$");

    /** Those that loop are compiled for themselves; constructors and what many threads insert with are no matter. */
    @ParameterizedTest
    @ValueSource(classes = {LinedWords.class, WalkedWords.class, BlockedWords.class})
    void methodsThatDoNotLoopAreShort(Class<?> type) throws URISyntaxException {
        Map<String, Integer> longMethods = longMethods(disassembled(type));
        longMethods
                .keySet()
                .removeIf(method -> method.contains(type.getSimpleName() + "(") || method.contains("setAtomically("));
        assertThat(longMethods).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(classes = BloomFilter.class)
    void longMethodsAreFound(Class<?> type) throws URISyntaxException {
        assertThat(longMethods(disassembled(type)))
                .hasKeySatisfying(
                        new org.assertj.core.api.Condition<>(method -> method.contains(" make("), "the method make"))
                .hasSizeGreaterThan(3);
    }

    /**
     * Nine misses in ten do not get to the second word. What is called there only is inlined, but on Java 25 what that calls may not be:
     * where the compiler had seen few queries get there, which was one JVM in four, hits took twice as long.
     */
    @Test
    void whatIsCalledForTheSecondWordOfABlockCallsNothing() throws URISyntaxException {
        Map<String, Set<String>> calls = calls(disassembled(BlockedWords.class));
        assertThat(calls.get("areSetInTwoSteps")).contains("areSetIn", "mask");
        assertThat(calls.get("areSetInTwoSteps"))
                .allSatisfy(called -> assertThat(calls.get(called)).as(called).isEmpty());
    }

    private static String disassembled(Class<?> type) throws URISyntaxException {
        Path classes =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        StringWriter text = new StringWriter();
        StringWriter errors = new StringWriter();
        int status = ToolProvider.findFirst("javap")
                .orElseThrow()
                .run(
                        new PrintWriter(text),
                        new PrintWriter(errors),
                        "-c",
                        "-p",
                        "-cp",
                        classes.toString(),
                        type.getName());
        assertThat(status).as(errors.toString()).isZero();
        return text.toString();
    }

    /** The size of every method without a jump backwards that is longer than the compiler inlines at once. */
    private static Map<String, Integer> longMethods(String text) {
        Map<String, Integer> sizes = new TreeMap<>();
        String method = "";
        for (String line : text.lines().toList()) {
            Matcher header = METHOD.matcher(line);
            Matcher instruction = INSTRUCTION.matcher(line);
            if (header.matches()) {
                method = header.group(1);
                sizes.put(method, 0);
            } else if (instruction.matches() && sizes.containsKey(method)) {
                int offset = Integer.parseInt(instruction.group(1));
                // The last instruction is a return, of one byte.
                sizes.put(method, offset + 1);
                String target = instruction.group(3);
                if (target != null && isJump(instruction.group(2)) && Integer.parseInt(target) < offset) {
                    sizes.remove(method);
                }
            }
        }
        sizes.values().removeIf(size -> size <= MOST_BYTES);
        return sizes;
    }

    /** The names of the methods that each method of a class calls. */
    private static Map<String, Set<String>> calls(String text) {
        Map<String, Set<String>> calls = new TreeMap<>();
        Set<String> ofMethod = new TreeSet<>();
        for (String line : text.lines().toList()) {
            Matcher header = METHOD.matcher(line);
            Matcher call = CALL.matcher(line);
            if (header.matches()) {
                String name = header.group(1).replaceAll("\\(.*", "");
                ofMethod = calls.computeIfAbsent(name.substring(name.lastIndexOf(' ') + 1), method -> new TreeSet<>());
            } else if (call.matches()) {
                ofMethod.add(call.group(1));
            }
        }
        return calls;
    }

    private static boolean isJump(String name) {
        return name.startsWith("if") || name.equals("goto");
    }
}
