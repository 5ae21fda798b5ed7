package dev.besom.guard;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.besom.guard.shard.Shard;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The arrows between the packages of the guard. */
class ArchitectureTest {

    private static final String STORE = "dev.besom.guard.store..";

    private static final JavaClasses GUARD = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.besom.guard");

    @Test
    void theClassesWereFound() {
        assertThat(GUARD.contain(Shard.class)).isTrue();
        assertThat(GUARD.contain(ArchitectureTest.class)).isFalse();
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
                .check(GUARD);
    }

    @Test
    void storesSeeNoOtherPackageOfTheGuard() {
        noClasses()
                .that()
                .resideInAPackage(STORE)
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("dev.besom.guard..")
                        .and(JavaClass.Predicates.resideOutsideOfPackage(STORE)))
                .check(GUARD);
    }

    @Test
    void shardsKnowNeitherDatabasesNorFolders() {
        noClasses()
                .that()
                .resideInAPackage("dev.besom.guard.shard..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.besom.guard.jdbc..", "dev.besom.guard.local..", "java.sql..", "javax.sql..")
                .check(GUARD);
    }

    @Test
    void everyPackageIsNullMarked() {
        classes()
                .should(new ArchCondition<JavaClass>("be in a package annotated with @NullMarked") {
                    @Override
                    public void check(JavaClass javaClass, ConditionEvents events) {
                        boolean marked = javaClass.getPackage().isAnnotatedWith(NullMarked.class);
                        events.add(new SimpleConditionEvent(
                                javaClass, marked, javaClass.getName() + " is not in a @NullMarked package"));
                    }
                })
                .check(GUARD);
    }
}
