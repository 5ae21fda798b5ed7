package dev.besom.spring;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

/**
 * Puts a proxy before every bean that has guarded methods, before its transactions, so that a "no" takes no connection. Each
 * method is checked when its bean is made, and its guard when all beans are there.
 */
final class GuardedBeans extends AbstractBeanFactoryAwareAdvisingPostProcessor implements SmartInitializingSingleton {

    private final transient GuardedMethods methods;
    private final transient Supplier<Guards> provider;
    private transient volatile @Nullable Guards guards;
    private final transient List<GuardedMethod> unchecked = new ArrayList<>();
    private boolean areGuardsThere;

    GuardedBeans(Supplier<Guards> provider) {
        this.methods = new GuardedMethods();
        this.provider = provider;
        this.advisor = new DefaultPointcutAdvisor(methods, new GuardedInterceptor(methods, this::guards));
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
    }

    /** Taken from the context once: that takes longer than a lookup. */
    private Guards guards() {
        Guards known = guards;
        if (known == null) {
            known = provider.get();
            guards = known;
        }
        return known;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        check(bean.getClass());
        return super.postProcessAfterInitialization(bean, beanName);
    }

    private synchronized void check(Class<?> type) {
        Class<?> checked = Proxy.isProxyClass(type) ? type : ClassUtils.getUserClass(type);
        unchecked.addAll(methods.allOf(checked));
        if (areGuardsThere) {
            checkGuards();
        }
    }

    @Override
    public synchronized void afterSingletonsInstantiated() {
        areGuardsThere = true;
        checkGuards();
    }

    private void checkGuards() {
        for (GuardedMethod method : List.copyOf(unchecked)) {
            check(method, guards());
        }
        unchecked.clear();
    }

    private static void check(GuardedMethod method, Guards guards) {
        String where = "@Guarded(\"" + method.guard() + "\") on " + method.name() + ": ";
        if (!guards.names().contains(method.guard())) {
            throw new GuardSetupException(
                    where + "there is no such guard; known: " + guards.names() + ".",
                    "Set " + BesomProperties.property(method.guard(), "table") + " and what goes with it, or correct"
                            + " the name.");
        }
        OpenTableGuard<?> table = guards.tableOrNull(method.guard());
        if (table != null && !table.form().takes(method.keyType())) {
            throw new GuardSetupException(
                    where + "the key is of " + method.keyType().getName() + ", and the keys of the guard are of "
                            + table.form().javaType().getName() + ".",
                    "Set " + BesomProperties.property(method.guard(), "key-type") + ", or change the parameter.");
        }
    }

    /** A repository is a proxy already, which only another one of the same interfaces can stand before. */
    @Override
    protected ProxyFactory prepareProxyFactory(Object bean, String beanName) {
        ProxyFactory factory = super.prepareProxyFactory(bean, beanName);
        if (Proxy.isProxyClass(bean.getClass())) {
            factory.setProxyTargetClass(false);
        }
        return factory;
    }
}
