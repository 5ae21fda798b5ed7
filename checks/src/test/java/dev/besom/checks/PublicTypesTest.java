package dev.besom.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.besom.MembershipFilter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users can see, they can name. */
class PublicTypesTest {

    /** More than this in the packages that are exported to all is a reason to think twice. */
    private static final int MOST_PUBLIC_TYPES_OF_THE_CORE = 73;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.besom");

    private static final Set<String> EXPORTED = Project.shippedModules().stream()
            .flatMap(module -> Project.exportsOf(module).stream())
            .collect(Collectors.toSet());

    private static final Set<String> OWN = Project.shippedModules().stream()
            .flatMap(module -> Project.packagesOf(module).stream())
            .collect(Collectors.toSet());

    @Test
    void signaturesThatUsersSeeNameOnlyTypesThatTheySee() {
        List<String> hidden = CLASSES.stream()
                .filter(type -> EXPORTED.contains(type.getPackageName()) && isVisible(type))
                .flatMap(type -> typesIn(type)
                        .filter(used -> OWN.contains(used.getPackageName()))
                        .filter(used -> !EXPORTED.contains(used.getPackageName()) || !isVisible(used))
                        .map(used -> type.getName() + " names " + used.getName()))
                .distinct()
                .sorted()
                .toList();
        assertThat(hidden).isEmpty();
    }

    @Test
    void thePublicTypesOfTheCoreAreFew() {
        List<String> exported = Project.exportsOf("core");
        List<String> types = CLASSES.stream()
                .filter(type -> exported.contains(type.getPackageName()))
                .filter(type -> type.isTopLevelClass() && isVisible(type))
                .map(JavaClass::getName)
                .sorted()
                .toList();
        assertThat(types).hasSizeBetween(40, MOST_PUBLIC_TYPES_OF_THE_CORE);
    }

    /** Filters are made by the facade, by the names of their kinds. */
    @Test
    void noClassOfFiltersIsSeenByUsers() {
        List<String> exported = Project.exportsOf("core");
        assertThat(CLASSES.stream()
                        .filter(type -> exported.contains(type.getPackageName()) && isVisible(type))
                        .filter(type -> !type.isInterface() && type.isAssignableTo(MembershipFilter.class)))
                .isEmpty();
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(PublicTypesTest::isVisible).orElse(true);
    }

    private static Stream<JavaClass> typesIn(JavaClass type) {
        Stream<JavaClass> ofMembers = Stream.concat(
                type.getCodeUnits().stream()
                        .filter(member -> isVisible(member.getModifiers()))
                        .flatMap(PublicTypesTest::typesIn),
                type.getFields().stream()
                        .filter(member -> isVisible(member.getModifiers()))
                        .map(JavaField::getRawType));
        // A hidden type above in the same package is one whose members its heirs show.
        Stream<JavaClass> above = Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())
                .filter(other -> !other.getPackageName().equals(type.getPackageName()));
        return Stream.concat(ofMembers, above).map(JavaClass::getBaseComponentType);
    }

    private static Stream<JavaClass> typesIn(JavaCodeUnit member) {
        return Stream.concat(
                Stream.concat(Stream.of(member.getRawReturnType()), member.getRawParameterTypes().stream()),
                member.getExceptionTypes().stream());
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.SYNTHETIC);
    }
}
