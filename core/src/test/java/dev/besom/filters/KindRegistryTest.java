package dev.besom.filters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import dev.besom.spi.KindProvider;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What providers of other jars bring, and what becomes of those that fail. */
class KindRegistryTest {

    @TempDir
    Path folder = Path.of("");

    /** Brings one kind. */
    public static final class Sound implements KindProvider {
        @Override
        public List<Kind> kinds() {
            return List.of(kind("from-outside"));
        }
    }

    /** Brings a kind of a name that the other one has. */
    public static final class Namesake implements KindProvider {
        @Override
        public List<Kind> kinds() {
            return List.of(kind("from-outside"));
        }
    }

    /** Cannot be made. */
    public static final class FailsWhenMade implements KindProvider {
        /** Fails. */
        public FailsWhenMade() {
            throw new IllegalStateException("no licence file");
        }

        @Override
        public List<Kind> kinds() {
            return List.of();
        }
    }

    /** Can be made, and brings nothing but trouble. */
    public static final class FailsWhenAsked implements KindProvider {
        @Override
        public List<Kind> kinds() {
            throw new IllegalStateException("no licence file");
        }
    }

    /** Lacks a class that it was compiled with. */
    public static final class LacksClass implements KindProvider {
        @Override
        public List<Kind> kinds() {
            throw new NoClassDefFoundError("com/example/Gone");
        }
    }

    private static Kind kind(String name) {
        return Kind.of(name, PersistentFilter.class)
                .makes((spec, stored) -> {
                    throw new AssertionError();
                })
                .reads(new ImageForm(name), (image, stored) -> {
                    throw new AssertionError();
                })
                .toKind();
    }

    @Test
    void kindsOfProvidersComeAfterTheOwn() {
        KindRegistry registry = KindRegistry.of(List.of(() -> List.of(kind("own"))), List.of(new Sound()));
        assertThat(registry.all()).extracting(Kind::name).containsExactly("own", "from-outside");
        assertThat(registry.named("from-outside").name()).isEqualTo("from-outside");
    }

    @Test
    void familiesAreDescribedOnceAndOnlyUntilAKindIsFound() {
        List<String> described = new ArrayList<>();
        List<Supplier<List<Kind>>> families = Stream.of("first", "second", "third")
                .<Supplier<List<Kind>>>map(name -> () -> {
                    described.add(name);
                    return List.of(kind(name));
                })
                .toList();
        KindRegistry registry = KindRegistry.of(families, List.of());
        assertThat(described).isEmpty();
        assertThat(registry.named("second").name()).isEqualTo("second");
        assertThat(registry.named("first")).isSameAs(registry.named("first"));
        assertThat(described).containsExactly("first", "second");
        assertThatThrownBy(() -> registry.named("fourth"))
                .hasMessage("unknown kind 'fourth'; known: first, second, third");
        assertThat(registry.all()).extracting(Kind::name).containsExactly("first", "second", "third");
        assertThat(described).containsExactly("first", "second", "third");
    }

    @Test
    void ofTwoKindsOfOneNameTheSecondIsRefusedAndBothProvidersAreNamed() {
        assertThatThrownBy(() -> KindRegistry.of(List.of(), List.of(new Sound(), new Namesake())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("'from-outside'", Namesake.class.getName(), Sound.class.getName());
        assertThatThrownBy(() -> KindRegistry.of(List.of(() -> List.of(kind("from-outside"))), List.of(new Sound())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("'from-outside'", Sound.class.getName(), "which is from Besom");
    }

    @Test
    void aProviderThatFailsIsNamedWithItsReason() {
        assertThatThrownBy(() -> KindRegistry.of(List.of(), List.of(new FailsWhenAsked())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(FailsWhenAsked.class.getName(), "no licence file");
        assertThatThrownBy(() -> KindRegistry.of(List.of(), List.of(new LacksClass())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(LacksClass.class.getName(), "com/example/Gone");
    }

    @Test
    void aProviderThatCannotBeMadeIsNamedWithItsReason() {
        assertThatThrownBy(() -> loadFrom(FailsWhenMade.class.getName()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(FailsWhenMade.class.getName(), "no licence file");
    }

    @Test
    void aProviderThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> loadFrom("com.example.NotThere"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("com.example.NotThere");
    }

    /** The registry of a class path on which a jar names a provider. */
    private KindRegistry loadFrom(String provider) throws IOException {
        Path file = folder.resolve("META-INF/services").resolve(KindProvider.class.getName());
        Files.createDirectories(file.getParent());
        Files.writeString(file, provider + "\n");
        try (OutsideLoader loader = new OutsideLoader(folder)) {
            return KindRegistry.of(List.of(), ServiceLoader.load(KindProvider.class, loader));
        }
    }

    /** Loads the providers of this test as if from a jar, outside of the module that the test is in. */
    private static final class OutsideLoader extends URLClassLoader {

        OutsideLoader(Path folder) throws IOException {
            super(new URL[] {folder.toUri().toURL()}, KindRegistryTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(FailsWhenMade.class.getName())) {
                return super.loadClass(name, resolve);
            }
            String resource = name.substring(name.lastIndexOf('.') + 1) + ".class";
            try (InputStream in = KindRegistryTest.class.getResourceAsStream(resource)) {
                byte[] bytes = Objects.requireNonNull(in, resource).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
