package dev.besom.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.besom.lab.race.Race;
import org.junit.jupiter.api.Test;

/** The arrows between the packages of the lab. */
class ArchitectureTest {

    private static final JavaClasses LAB = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.besom.lab");

    @Test
    void theClassesWereFound() {
        assertThat(LAB.contain(Race.class)).isTrue();
        assertThat(LAB.contain(ArchitectureTest.class)).isFalse();
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("dev.besom.lab.(*)..").should().beFreeOfCycles().check(LAB);
    }

    @Test
    void theLabKnowsNeitherCommandLineNorBenchmarksNorGuards() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.besom.cli..", "dev.besom.bench..", "dev.besom.guard..")
                .check(LAB);
    }
}
