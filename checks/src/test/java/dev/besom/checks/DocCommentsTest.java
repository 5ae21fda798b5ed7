package dev.besom.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every public member that users see has a comment. */
class DocCommentsTest {

    @ParameterizedTest
    @ValueSource(strings = {"core", "guard", "rocksdb", "micrometer", "spring", "spark", "testkit"})
    void everyPublicMemberOfAPackageThatIsExportedToAllHasAComment(String module) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String name : Project.exportsOf(module)) {
            Path folder = Project.ROOT.resolve(module).resolve("src/main/java").resolve(name.replace('.', '/'));
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        assertThat(sources).isNotEmpty();
        assertThat(membersWithoutComment(sources)).isEmpty();
    }

    private static List<String> membersWithoutComment(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> missing = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
            DocTrees comments = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Members(comments, missing).scan(unit, null);
            }
        }
        return missing;
    }

    /** Goes through the public members of public types; what is inherited has the comment of its origin. */
    private static final class Members extends TreePathScanner<@Nullable Void, @Nullable Void> {

        private final DocTrees comments;
        private final List<String> missing;

        Members(DocTrees comments, List<String> missing) {
            this.comments = comments;
            this.missing = missing;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
            if (isVisible(type.getModifiers())) {
                check(type.getSimpleName().toString());
                super.visitClass(type, null);
            }
            return null;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
            boolean isInherited = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            if (isVisible(method.getModifiers()) && !isInherited && !isConstructorOfRecord(method)) {
                check(method.getName() + "(" + method.getParameters() + ")");
            }
            return null;
        }

        @Override
        public @Nullable Void visitVariable(VariableTree field, @Nullable Void nothing) {
            if (isVisible(field.getModifiers()) && !isComponent(field)) {
                check(field.getName().toString());
            }
            return null;
        }

        /** Which the comment of the record tells of. */
        private boolean isConstructorOfRecord(MethodTree method) {
            return enclosing().getKind() == Tree.Kind.RECORD && method.getName().contentEquals("<init>");
        }

        /** The components of a record are explained by the tags of its comment. */
        private boolean isComponent(VariableTree field) {
            return enclosing().getKind() == Tree.Kind.RECORD
                    && !field.getModifiers().getFlags().contains(Modifier.STATIC);
        }

        private ClassTree enclosing() {
            return (ClassTree) getCurrentPath().getParentPath().getLeaf();
        }

        private boolean isVisible(ModifiersTree modifiers) {
            TreePath parent = getCurrentPath().getParentPath();
            boolean isMemberOfInterface = parent.getLeaf().getKind() == Tree.Kind.INTERFACE
                    && !modifiers.getFlags().contains(Modifier.PRIVATE);
            return isMemberOfInterface
                    || modifiers.getFlags().contains(Modifier.PUBLIC)
                    || modifiers.getFlags().contains(Modifier.PROTECTED);
        }

        private void check(String name) {
            if (comments.getDocComment(getCurrentPath()) == null) {
                CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
                long position = comments.getSourcePositions()
                        .getStartPosition(unit, getCurrentPath().getLeaf());
                missing.add(unit.getPackageName() + ", "
                        + Path.of(unit.getSourceFile().getName()).getFileName() + " line "
                        + unit.getLineMap().getLineNumber(position) + ": " + name);
            }
        }
    }
}
