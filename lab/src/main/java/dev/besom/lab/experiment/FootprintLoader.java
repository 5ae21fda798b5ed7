package dev.besom.lab.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Loads classes of the library a second time, with each access to an element of a {@code long[]} replaced by a call that
 * tells {@link Footprint} of it. So what is counted is what the library's own code does, of which nothing has to be written
 * twice, and the library itself does not become slower for being watched.
 */
final class FootprintLoader extends ClassLoader {

    private static final String FOOTPRINT = Type.getInternalName(Footprint.class);

    /**
     * Packages that the core exports to its own modules only. What is loaded again is in no module, so it can see them only
     * if they are loaded again too.
     */
    private static final Set<String> HIDDEN = Set.of(
            "dev.besom.adaptive",
            "dev.besom.bits",
            "dev.besom.bloom",
            "dev.besom.broom",
            "dev.besom.daisy",
            "dev.besom.math",
            "dev.besom.quotient",
            "dev.besom.quotient.slots",
            "dev.besom.quotient.tags");

    private final Set<String> watched;
    private final Set<String> unwatched;

    /**
     * @param watched the packages and classes, by their full names, whose accesses are counted
     * @param unwatched those of them that have arrays of their own which belong to no structure
     */
    FootprintLoader(Set<String> watched, Set<String> unwatched) {
        super(Footprint.class.getClassLoader());
        this.watched = watched;
        this.unwatched = unwatched;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        String outer = name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
        String room = outer.substring(0, outer.lastIndexOf('.'));
        boolean isWatched = (watched.contains(outer) || watched.contains(room)) && !unwatched.contains(outer);
        if (!isWatched && !HIDDEN.contains(room)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = isWatched ? watched(bytes(name)) : bytes(name);
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            return loaded;
        }
    }

    private byte[] bytes(String name) throws ClassNotFoundException {
        Class<?> original = super.loadClass(name, false);
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream in = original.getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] watched(byte[] bytes) {
        ClassWriter writer = new ClassWriter(0);
        ClassVisitor visitor = new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                return new Accesses(super.visitMethod(access, name, descriptor, signature, exceptions));
            }
        };
        new ClassReader(bytes).accept(visitor, 0);
        return writer.toByteArray();
    }

    /** Takes and leaves the same on the stack as what it replaces. */
    private static final class Accesses extends MethodVisitor {

        Accesses(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitInsn(int opcode) {
            switch (opcode) {
                case Opcodes.LALOAD -> call("load", "([JI)J");
                case Opcodes.LASTORE -> call("store", "([JIJ)V");
                default -> super.visitInsn(opcode);
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (owner.equals("java/lang/System") && name.equals("arraycopy")) {
                call("copy", descriptor);
            } else if (owner.equals("java/util/Arrays") && name.equals("copyOf") && descriptor.equals("([JI)[J")) {
                call("copyOf", descriptor);
            } else {
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            }
        }

        private void call(String name, String descriptor) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, FOOTPRINT, name, descriptor, false);
        }
    }
}
