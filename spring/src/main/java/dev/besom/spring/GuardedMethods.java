package dev.besom.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds guarded methods, on classes and on the interfaces of repositories. */
final class GuardedMethods extends StaticMethodMatcherPointcut {

    private final Map<MethodClassKey, Optional<GuardedMethod>> known = new ConcurrentHashMap<>();

    GuardedMethods() {
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Guarded.class));
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        return find(method, type).isPresent();
    }

    /** What is known of a method, if it is guarded. */
    Optional<GuardedMethod> find(Method method, Class<?> type) {
        return known.computeIfAbsent(new MethodClassKey(method, type), key -> look(method, type));
    }

    private static Optional<GuardedMethod> look(Method method, Class<?> type) {
        // The methods of a proxy say nothing of themselves; those of its interfaces do.
        Method specific = Proxy.isProxyClass(type) ? method : AopUtils.getMostSpecificMethod(method, type);
        Guarded annotation = AnnotatedElementUtils.findMergedAnnotation(specific, Guarded.class);
        Method annotated = specific;
        if (annotation == null && !specific.equals(method)) {
            annotation = AnnotatedElementUtils.findMergedAnnotation(method, Guarded.class);
            annotated = method;
        }
        return annotation == null ? Optional.empty() : Optional.of(GuardedMethod.of(annotated, type, annotation));
    }

    /**
     * All guarded methods of a class, those included that no proxy can stand before.
     *
     * @throws GuardSetupException if one of them cannot be guarded
     */
    Collection<GuardedMethod> allOf(Class<?> type) {
        if (!getClassFilter().matches(type)) {
            return Map.<Method, GuardedMethod>of().values();
        }
        return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<GuardedMethod>)
                        method -> find(method, type).orElse(null))
                .values();
    }
}
