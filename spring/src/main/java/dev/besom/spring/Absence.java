package dev.besom.spring;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Nullness;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * How a method says that there is nothing.
 *
 * @param answer makes such an answer
 * @param isAbsent whether something that a method has returned is such an answer
 */
record Absence(Supplier<@Nullable Object> answer, Predicate<@Nullable Object> isAbsent) {

    private static final Absence NULL = new Absence(() -> null, Objects::isNull);
    private static final Absence FALSE = new Absence(() -> false, answer -> !Boolean.TRUE.equals(answer));
    private static final Absence OPTIONAL =
            new Absence(Optional::empty, answer -> answer == null || ((Optional<?>) answer).isEmpty());
    private static final Absence LIST = new Absence(
            ArrayList::new,
            answer -> answer == null || !((Iterable<?>) answer).iterator().hasNext());
    private static final Absence SET =
            new Absence(LinkedHashSet::new, answer -> answer == null || ((Set<?>) answer).isEmpty());

    /** Types of which null would be no "not there", and which have no empty value that is certain to be one. */
    private static final List<String> REFUSED = List.of(
            "void",
            "java.lang.Void",
            "java.util.Map",
            "java.util.concurrent.Future",
            "java.util.stream.BaseStream",
            "org.springframework.data.domain.Slice",
            "org.springframework.data.domain.Window",
            "org.reactivestreams.Publisher");

    /**
     * The absence that a method states by its return type.
     *
     * @throws Refusal if it has none
     */
    static Absence of(Method method, Class<?> type) {
        Class<?> returned = ResolvableType.forMethodReturnType(method, type).resolve(Object.class);
        Absence absence = of(returned);
        if (absence.equals(NULL) && Number.class.isAssignableFrom(returned) && isCount(method)) {
            throw new Refusal("counts, and null is no count");
        }
        if (absence.equals(NULL) && Nullness.forMethodReturnType(method) == Nullness.NON_NULL) {
            throw new Refusal("is declared never to return null; let it return Optional, or mark the type @Nullable");
        }
        return absence;
    }

    /** The absence within a stage or a Mono. */
    static Absence within(ResolvableType wrapper) {
        return of(wrapper.getGeneric(0).resolve(Object.class));
    }

    private static Absence of(Class<?> type) {
        if (type == boolean.class || type == Boolean.class) {
            return FALSE;
        }
        if (type == Optional.class) {
            return OPTIONAL;
        }
        if (type == List.class || type == Collection.class || type == Iterable.class) {
            return LIST;
        }
        if (type == Set.class) {
            return SET;
        }
        if (type.isArray()) {
            return new Absence(
                    () -> Array.newInstance(type.getComponentType(), 0),
                    answer -> answer == null || Array.getLength(answer) == 0);
        }
        if (type.isPrimitive() || isRefused(type) || Iterable.class.isAssignableFrom(type)) {
            throw new Refusal("returns " + ClassUtils.getShortName(type) + ", which has no value for \"not there\"");
        }
        return NULL;
    }

    private static boolean isRefused(@Nullable Class<?> type) {
        return type != null
                && (REFUSED.contains(type.getName())
                        || isRefused(type.getSuperclass())
                        || Arrays.stream(type.getInterfaces()).anyMatch(Absence::isRefused));
    }

    private static boolean isCount(Method method) {
        return method.getName().startsWith("count");
    }

    /** Why a method cannot be guarded, as the rest of a sentence that begins with its name. */
    static final class Refusal extends RuntimeException {
        Refusal(String reason) {
            super(reason);
        }

        String reason() {
            return Objects.requireNonNull(getMessage());
        }
    }
}
