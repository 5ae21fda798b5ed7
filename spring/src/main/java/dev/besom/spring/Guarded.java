package dev.besom.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that looks a key up, or checks that it is there. Where the guard knows that the key is not stored, the
 * method is not called and the answer is an empty one:
 *
 * <pre>
 *   Optional                       empty
 *   boolean                        false
 *   List, Set, Collection, array   empty
 *   any other object               null, unless the method is declared never to return it
 *   CompletionStage, Mono          complete, with one of these
 * </pre>
 *
 * A method that cannot be guarded, because of what it returns or takes or because no proxy can stand before it, is refused
 * when its bean is made, with a message that names it. A key that is null is not looked up in the guard: the method is
 * called.
 *
 * <p>As with every annotation that works by a proxy, calls within the same object are not guarded.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Guarded {

    /** The guard: its name in {@code besom.guards}, or that of a bean. */
    String value();

    /** The name of the parameter that is the key. May be left out where there is only one parameter. */
    String key() default "";
}
