package dev.besom.bench;

import dev.besom.filters.Filters;
import dev.besom.lab.peer.Peers;
import dev.besom.lab.race.Contenders;
import dev.besom.spi.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;

/** A class of benchmarks, and the contenders that can take part in it. */
enum Suite {
    QUERY(QueryBenchmark.class),
    INSERT(InsertBenchmark.class),
    DELETE(DeleteBenchmark.class),
    REPAIR(RepairBenchmark.class),
    BUILD(BuildBenchmark.class),
    FILE(FileBenchmark.class);

    /** The kind whose repairs move stored keys, and the same without that. */
    private static final String MOVING = "broom";

    private static final String NOT_MOVING = "broom:moves=0";

    private final Class<? extends KindBenchmark> type;

    Suite(Class<? extends KindBenchmark> type) {
        this.type = type;
    }

    /** The names of all contenders: Besom's kinds, the peers, and the limit that memory sets to queries. */
    static List<String> everybody() {
        return Stream.of(
                        Filters.kinds().stream().map(Kind::name),
                        Peers.names().stream().map(name -> Contenders.PEER_PREFIX + name),
                        Stream.of(Contenders.MEMORY_LIMIT))
                .flatMap(names -> names)
                .toList();
    }

    /** Those of the named contenders that can take part. */
    List<String> contenders(List<String> names) {
        return names.stream()
                .filter(this::admits)
                .flatMap(name -> this == REPAIR && name.equals(MOVING) ? Stream.of(name, NOT_MOVING) : Stream.of(name))
                .toList();
    }

    private boolean admits(String name) {
        return Filters.kinds().stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .map(this::admits)
                .orElseGet(() -> name.equals(Contenders.MEMORY_LIMIT) ? this == QUERY : this == QUERY || this == BUILD);
    }

    private boolean admits(Kind kind) {
        return switch (this) {
            case QUERY, BUILD, FILE -> true;
            case INSERT -> kind.isInsertable();
            // Adaptive cuckoo filters that were read give up no key that has left the store before.
            case DELETE -> kind.isDeletable() && kind.adaptivity() != Kind.Adaptivity.HEURISTIC;
            case REPAIR -> kind.isAdaptive();
        };
    }

    /** How many benchmarks the class has. */
    int benchmarks() {
        return (int) Arrays.stream(type.getMethods())
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .count();
    }

    /** What chooses all benchmarks of the class. */
    String pattern() {
        return "^" + type.getName().replace(".", "\\.") + "\\.";
    }
}
