package dev.besom;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.besom.filters.Filters;
import dev.besom.testkit.Allocation;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows between the packages, and what no class may do. */
@Tag("slow")
final class ArchitectureTest {

    private static final String ALL = "dev.besom..";
    private static final String API = "dev.besom";
    private static final String HASH = "dev.besom.hash..";
    private static final String BITS = "dev.besom.bits..";
    private static final String MATH = "dev.besom.math..";
    private static final String DISTRIBUTION = "dev.besom.distribution..";
    private static final String ADAPTIVE = "dev.besom.adaptive..";
    private static final String STORED = "dev.besom.stored..";
    private static final String CODEC = "dev.besom.codec..";
    private static final String SPI = "dev.besom.spi..";
    private static final String TESTKIT = "dev.besom.testkit..";
    private static final String FACADE = "dev.besom.filters..";

    private static final List<String> FAMILIES =
            List.of("bloom", "quotient", "broom", "cascade", "cuckoo", "compact", "fuse", "bloomier", "daisy");

    /** What families are built on beside the ground floor. */
    private static final Map<String, List<String>> BUILT_ON = Map.of(
            "bloomier", List.of(packageOf("bloom"), packageOf("compact"), packageOf("fuse")),
            "broom", List.of(STORED),
            "cascade", List.of(packageOf("bloom"), packageOf("quotient"), packageOf("compact"), STORED),
            "daisy", List.of(DISTRIBUTION, packageOf("bloom"), packageOf("quotient")));

    private static final String[] FAMILY_PACKAGES =
            FAMILIES.stream().map(ArchitectureTest::packageOf).toArray(String[]::new);

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(API);

    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
            .importPackages(API);

    private static String packageOf(String family) {
        return "dev.besom." + family + "..";
    }

    @Test
    void theClassesWereFound() {
        assertThat(CORE.contain(Filters.class)).isTrue();
        assertThat(CORE.contain(ArchitectureTest.class)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, BITS, MATH})
    void theGroundFloorSeesNoOtherPackageOfBesom(String ground) {
        noClasses()
                .that()
                .resideInAPackage(ground)
                .should()
                .dependOnClassesThat(resideInAPackage(ALL).and(resideOutsideOfPackage(ground)))
                .check(CORE);
    }

    @Test
    void familiesSeeTheGroundFloorAndTheInterfacesOnly() {
        for (String family : FAMILIES) {
            classes()
                    .that()
                    .resideInAPackage(packageOf(family))
                    .should()
                    .onlyDependOnClassesThat(not(resideInAPackage(ALL)).or(resideInAnyPackage(roomsOf(family))))
                    .allowEmptyShould(true)
                    .check(CORE);
        }
    }

    @Test
    void packagesFormNoCycle() {
        SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                        return SliceIdentifier.of(javaClass.getPackageName());
                    }

                    @Override
                    public String getDescription() {
                        return "packages";
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(CORE);
    }

    private static String[] roomsOf(String family) {
        return Stream.concat(
                        Stream.of(API, SPI, HASH, BITS, MATH, ADAPTIVE, packageOf(family)),
                        BUILT_ON.getOrDefault(family, List.of()).stream())
                .toArray(String[]::new);
    }

    @Test
    void distributionsSeeNoFamily() {
        classes()
                .that()
                .resideInAPackage(DISTRIBUTION)
                .should()
                .onlyDependOnClassesThat(
                        not(resideInAPackage(ALL)).or(resideInAnyPackage(API, SPI, HASH, BITS, MATH, DISTRIBUTION)))
                .check(CORE);
    }

    @Test
    void contractsSeeTheGroundFloorOnly() {
        classes()
                .that()
                .resideInAPackage(API)
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage(ALL)).or(resideInAnyPackage(API, HASH, BITS)))
                .check(CORE);
        classes()
                .that()
                .resideInAPackage(SPI)
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage(ALL)).or(resideInAnyPackage(API, SPI, HASH, BITS)))
                .check(CORE);
    }

    @Test
    void nothingSeesTheFacadeAndTheCodecSeesNoFamily() {
        noClasses()
                .that()
                .resideOutsideOfPackage(FACADE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(FACADE)
                .check(CORE);
        noClasses()
                .that()
                .resideInAPackage(CODEC)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(FAMILY_PACKAGES)
                .check(CORE);
    }

    @Test
    void bitsKnowNothingOfWhatTheyAreUsedFor() {
        classes()
                .that()
                .resideInAPackage(BITS)
                .should(haveNoNameWith("fingerprint", "quotient", "remainder", "filter"))
                .check(CORE);
    }

    @Test
    void noRandomnessIsHidden() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Random.class, ThreadLocalRandom.class)
                .check(CORE);
        noClasses().should().callConstructor(SplittableRandom.class).check(CORE);
        noClasses().should().callMethod(Math.class, "random").check(CORE);
    }

    @Test
    void aLibraryNeitherExitsNorLogs() {
        noClasses().should().callMethod(System.class, "exit", int.class).check(CORE);
        noClasses().should().callMethod(Runtime.class, "exit", int.class).check(CORE);
        noClasses().should().callMethod(Runtime.class, "halt", int.class).check(CORE);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "java.lang.System.Logger..")
                .check(CORE);
        noClasses().should().accessField(System.class, "out").check(CORE);
        noClasses().should().accessField(System.class, "err").check(CORE);
    }

    @Test
    void filtersAreFinal() {
        classes()
                .that()
                .areAssignableTo(MembershipFilter.class)
                .and()
                .areNotInterfaces()
                .and()
                .doNotHaveModifier(JavaModifier.ABSTRACT)
                .should()
                .haveModifier(JavaModifier.FINAL)
                .check(CORE);
    }

    @Test
    void nothingIsPromisedThatIsNotKept() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(UnsupportedOperationException.class)
                .check(CORE);
    }

    @Test
    void everyPackageIsNullMarked() {
        classes()
                .that()
                .resideInAPackage(ALL)
                .should(new ArchCondition<JavaClass>("be in a package annotated with @NullMarked") {
                    @Override
                    public void check(JavaClass javaClass, ConditionEvents events) {
                        boolean marked = javaClass.getPackage().isAnnotatedWith(NullMarked.class);
                        events.add(new SimpleConditionEvent(
                                javaClass, marked, javaClass.getName() + " is not in a @NullMarked package"));
                    }
                })
                .check(CORE);
    }

    /** Test classes run beside each other unless they are isolated. */
    @Test
    void whatMeasuresOrStartsThreadsIsTestedAlone() {
        assertThat(TESTS.contain(ArchitectureTest.class)).isTrue();
        noClasses()
                .that()
                .areNotAnnotatedWith(Isolated.class)
                .and()
                .doNotBelongToAnyOf(ArchitectureTest.class)
                .and()
                .resideOutsideOfPackage(TESTKIT)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Allocation.class, Thread.class, ExecutorService.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(TESTS);
    }

    private static ArchCondition<JavaClass> haveNoNameWith(String... words) {
        return new ArchCondition<>("have no name with " + String.join(", ", words)) {
            @Override
            public void check(JavaClass javaClass, ConditionEvents events) {
                Stream.concat(
                                Stream.of(javaClass.getSimpleName()),
                                javaClass.getMembers().stream().map(JavaMember::getName))
                        .forEach(name -> {
                            boolean clean = Stream.of(words)
                                    .noneMatch(word ->
                                            name.toLowerCase(Locale.ROOT).contains(word));
                            events.add(new SimpleConditionEvent(
                                    javaClass, clean, javaClass.getName() + " has the name " + name));
                        });
            }
        };
    }
}
