package dev.besom.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * A method with {@link Guarded}, checked.
 *
 * @param name the method in messages
 * @param guard the name of its guard
 * @param keyIndex which parameter is the key
 * @param keyType the type of that parameter
 * @param call how it is called
 */
record GuardedMethod(String name, String guard, int keyIndex, Class<?> keyType, GuardedCall call) {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /**
     * Checks a method.
     *
     * @param type the class of the bean, by which type variables are known
     * @throws GuardSetupException if it cannot be guarded
     */
    static GuardedMethod of(Method method, Class<?> type, Guarded annotation) {
        String name = nameOf(method);
        try {
            refuseUnreachable(method);
            int key = keyIndex(method, annotation.key());
            Class<?> keyType =
                    ResolvableType.forMethodParameter(method, key, type).resolve(Object.class);
            return new GuardedMethod(name, annotation.value(), key, keyType, call(method, type));
        } catch (Absence.Refusal e) {
            throw new GuardSetupException(
                    "@Guarded(\"" + annotation.value() + "\") on " + name + ": the method " + e.reason() + ".",
                    "Change the method so that it can say that nothing is there, or remove the annotation.",
                    e);
        }
    }

    private static String nameOf(Method method) {
        return ClassUtils.getShortName(method.getDeclaringClass()) + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(ClassUtils::getShortName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private static void refuseUnreachable(Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw new Absence.Refusal("is private, static or final, so no proxy can stand before it");
        }
        if (Modifier.isFinal(method.getDeclaringClass().getModifiers())) {
            throw new Absence.Refusal("is one of a final class, so no proxy can stand before it");
        }
    }

    private static int keyIndex(Method method, String key) {
        Class<?>[] types = method.getParameterTypes();
        if (Arrays.stream(types).anyMatch(type -> type.getName().equals("kotlin.coroutines.Continuation"))) {
            throw new Absence.Refusal("is a suspending function, which is not supported");
        }
        if (key.isEmpty() && types.length == 1) {
            return 0;
        }
        @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
        List<@Nullable String> known = names == null ? List.of() : Arrays.asList(names);
        if (key.isEmpty()) {
            throw new Absence.Refusal(
                    types.length == 0
                            ? "has no parameter that could be the key"
                            : "has several parameters; name the one that is the key, as in key = \"email\"");
        }
        if (!known.contains(key)) {
            throw new Absence.Refusal(
                    known.isEmpty()
                            ? "has no names of parameters; compile it with -parameters"
                            : "has no parameter '" + key + "', but " + known);
        }
        return known.indexOf(key);
    }

    private static GuardedCall call(Method method, Class<?> type) {
        GuardedCall wrapped = GuardedCall.ofWrapper(ResolvableType.forMethodReturnType(method, type));
        return wrapped != null ? wrapped : GuardedCall.waiting(Absence.of(method, type));
    }
}
