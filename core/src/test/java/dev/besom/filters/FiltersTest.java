package dev.besom.filters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.InsertableFilter;
import dev.besom.LossyRemovalFilter;
import dev.besom.MergeableFilter;
import dev.besom.StoredHashes;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FiltersTest {

    private static final FilterSpec SPEC = FilterSpec.of(100, 0.01);

    static Stream<Kind> kinds() {
        return Filters.kinds().stream();
    }

    private static PersistentFilter made(Kind kind, FilterSpec spec) {
        return kind.isStatic()
                ? kind.build(spec, HashSource.of(1, -2, 3), StoredHashes.none())
                : kind.make(spec, StoredHashes.none());
    }

    @Test
    void anUnknownKindIsNamedBesideTheKnownOnes() {
        assertThatThrownBy(() -> Filters.kind("blom"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("unknown kind 'blom'; known: ")
                .hasMessageContainingAll(
                        Filters.kinds().stream().map(Kind::name).toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void eachKindIsFoundByItsNameAndMakesAndReadsItsOwnClass(Kind kind) {
        assertThat(Filters.kind(kind.name())).isSameAs(kind);
        PersistentFilter filter = made(kind, SPEC);
        assertThat(filter).isInstanceOf(kind.type());
        assertThat(filter.image().kind()).isEqualTo(kind.name());
        assertThat(Filters.toFilter(filter.image(), StoredHashes.none())).isExactlyInstanceOf(filter.getClass());
        assertThat(kind.type().getPackageName()).isEqualTo("dev.besom." + kind.family());
        assertThat(kind.paper()).isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whatAKindCanDoFollowsFromItsClass(Kind kind) {
        PersistentFilter filter = made(kind, SPEC);
        assertThat(kind.isInsertable()).isEqualTo(filter instanceof InsertableFilter);
        assertThat(kind.isDeletable()).isEqualTo(filter instanceof DeletableFilter);
        assertThat(kind.isMergeable()).isEqualTo(filter instanceof MergeableFilter);
        assertThat(kind.isAdaptive()).isEqualTo(filter instanceof AdaptiveFilter);
        assertThat(kind.hasFalseNegatives()).isEqualTo(filter instanceof LossyRemovalFilter);
        assertThat(kind.isAdaptive()).isEqualTo(kind.adaptivity() != Kind.Adaptivity.NO);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anOptionThatAKindDoesNotHaveIsNamedBesideThoseItHas(Kind kind) {
        String known = String.join(", ", new TreeSet<>(kind.options().keySet()));
        assertThatThrownBy(() -> made(kind, SPEC.with("colour", "red")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kind " + kind.name() + " has no option 'colour'"
                        + (known.isEmpty() ? "" : "; it has " + known));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyOptionThatIsListedIsReadAndNamedWhenItIsBad(Kind kind) {
        for (String option : kind.options().keySet()) {
            assertThatThrownBy(() -> made(kind, SPEC.with(option, "?")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("option " + option + " must be");
        }
    }
}
