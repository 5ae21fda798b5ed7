package dev.besom.spring;

import static dev.besom.spring.BesomProperties.property;

import dev.besom.guard.Contract;
import dev.besom.guard.Guard;
import dev.besom.guard.GuardBuilder;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.jdbc.EquatedKeysException;
import dev.besom.guard.jdbc.JdbcColumns;
import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.store.LeaseHeldException;
import dev.besom.guard.store.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Makes guards of properties. What is wrong with them is said by the name of the property. */
final class GuardOpener {

    private static final Log LOG = LogFactory.getLog(GuardOpener.class);

    private final BeanFactory beans;

    GuardOpener(BeanFactory beans) {
        this.beans = beans;
    }

    OpenTableGuard<?> open(String name, GuardProperties properties) {
        refuseMissing(name, properties);
        DataSource source = source(name, properties.dataSource());
        try {
            return open(name, properties, source, KeyForm.of(properties.keyType()));
        } catch (LeaseHeldException e) {
            throw new GuardSetupException(
                    "besom.guards." + name + ": another guard has the table " + properties.table() + ".",
                    "Stop the other instance, or let this one wait for it by " + property(name, "wait-for-lease") + ".",
                    e);
        } catch (StoreException e) {
            throw new GuardSetupException(
                    "besom.guards." + name + ": the table " + properties.table() + " with the column "
                            + properties.key() + " cannot be guarded: " + e.getMessage(),
                    "Correct " + property(name, "table") + " or " + property(name, "key")
                            + ", or let the user of the database add the column " + properties.hashColumn() + ".",
                    e);
        }
    }

    private static void refuseMissing(String name, GuardProperties properties) {
        List<String> missing = new ArrayList<>();
        if (properties.table() == null) {
            missing.add(property(name, "table"));
        }
        if (properties.key() == null) {
            missing.add(property(name, "key"));
        }
        if (properties.contract() == null) {
            missing.add(property(name, "contract") + " ("
                    + Arrays.stream(GuardContract.values())
                            .map(each -> each.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "))
                    + ")");
        }
        if (!missing.isEmpty()) {
            throw new GuardSetupException(
                    "The guard '" + name + "' lacks " + String.join(", ", missing) + ".", "Set what is missing.");
        }
    }

    private DataSource source(String name, @Nullable String bean) {
        if (bean != null) {
            try {
                return beans.getBean(bean, DataSource.class);
            } catch (NoSuchBeanDefinitionException e) {
                throw new GuardSetupException(
                        property(name, "data-source") + ": there is no data source '" + bean + "'.",
                        "Give the name of a bean of type DataSource.",
                        e);
            }
        }
        DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
        if (only == null) {
            throw new GuardSetupException(
                    "The guard '" + name + "' has no data source: there is none, or there are several.",
                    "Name the bean of one by " + property(name, "data-source") + ".");
        }
        return only;
    }

    private <K> OpenTableGuard<K> open(String name, GuardProperties properties, DataSource source, KeyForm<K> form) {
        GuardContract contract = Objects.requireNonNull(properties.contract());
        JdbcStore<K, K> store = adopt(name, source, table(name, properties, form));
        GuardBuilder<K, StoreGuard<K, K>> builder = builder(name, properties, store, form);
        set(
                name,
                contract == GuardContract.FEED ? "staleness" : "lease",
                () -> builder.contract(contract(contract, properties)));
        long start = System.nanoTime();
        if (contract == GuardContract.FEED) {
            prepareFeed(name, properties, store);
        } else {
            store.backFill(form.hasher(), (done, total) -> {});
        }
        StoreGuard<K, K> guard = builder.open();
        LOG.info("Guard '" + name + "' of " + properties.table() + "." + properties.key() + " opened in "
                + (System.nanoTime() - start) / 1_000_000 + " ms");
        // Rows of a feed get their hashes from whoever follows it.
        AnnouncedWrites.HashStamp<K> stamp =
                contract == GuardContract.FEED ? (connection, key, hash) -> {} : store::putHash;
        AnnouncedWrites<K> writes =
                new AnnouncedWrites<>(guard, stamp, source, transactions(source), ForkJoinPool.commonPool());
        return new OpenTableGuard<>(name, contract, form, guard, writes);
    }

    private static <K> JdbcStore<K, K> adopt(String name, DataSource source, JdbcTable<K, K> table) {
        try {
            return JdbcStore.adopt(source, table);
        } catch (EquatedKeysException e) {
            throw new GuardSetupException(
                    "besom.guards." + name + ": " + e.getMessage() + ".",
                    "Change the column's collation. Or, if keys are stored and looked up in one form only, set "
                            + property(name, "keys-in-one-form") + "=true.",
                    e);
        } catch (IllegalArgumentException e) {
            throw new GuardSetupException(
                    "besom.guards." + name + ": " + e.getMessage() + ".",
                    "Name another column by " + property(name, "hash-column") + ".",
                    e);
        }
    }

    /** Sees to it that changes are recorded, or shows the statements that would do it. */
    private static void prepareFeed(String name, GuardProperties properties, JdbcStore<?, ?> store) {
        set(name, "contract", () -> store.feedStatements());
        if (properties.createFeed()) {
            store.createFeed();
        } else if (!store.isFeedThere()) {
            throw new GuardSetupException(
                    "besom.guards." + name + ": nothing records the changes of the table " + properties.table() + ".",
                    "Set " + property(name, "create-feed") + "=true, or have these statements run:\n\n"
                            + store.feedStatements().stream()
                                    .map(statement -> statement + ";\n")
                                    .collect(Collectors.joining()));
        }
    }

    private static Contract contract(GuardContract contract, GuardProperties properties) {
        return switch (contract) {
            case SOLE -> Contract.sole();
            case FLEET -> Contract.fleet(properties.lease());
            case FEED -> Contract.feed(properties.staleness());
        };
    }

    /** The key is its own value: the application reads rows by itself, and the guard only whether they are there. */
    private static <K> JdbcTable<K, K> table(String name, GuardProperties properties, KeyForm<K> form) {
        try {
            JdbcColumns<K> key = JdbcColumns.of(Objects.requireNonNull(properties.key()), form.column());
            JdbcTable<K, K> table = JdbcTable.of(Objects.requireNonNull(properties.table()), key, key)
                    .withHashColumn(properties.hashColumn());
            return properties.keysInOneForm() ? table.withKeysInOneForm() : table;
        } catch (IllegalArgumentException e) {
            throw new GuardSetupException(
                    "besom.guards." + name + ": " + e.getMessage(),
                    "Names of tables and columns are plain ones, or stand in double quotes.",
                    e);
        }
    }

    private static <K> GuardBuilder<K, StoreGuard<K, K>> builder(
            String name, GuardProperties properties, JdbcStore<K, K> store, KeyForm<K> form) {
        GuardBuilder<K, StoreGuard<K, K>> builder =
                Guard.builder(store, form.hasher()).primeOn(background("besom-prime-" + name));
        set(name, "kind", () -> builder.kind(properties.kind()));
        set(name, "fpp", () -> builder.fpp(properties.fpp()));
        Long capacity = properties.capacity();
        if (capacity != null) {
            set(name, "capacity", () -> builder.capacity(capacity));
        }
        set(name, "wait-for-lease", () -> builder.waitForLease(properties.waitForLease()));
        return builder;
    }

    private static void set(String guard, String property, Runnable setting) {
        try {
            setting.run();
        } catch (IllegalArgumentException e) {
            throw new GuardSetupException(
                    property(guard, property) + ": " + e.getMessage(), "Correct " + property(guard, property) + ".", e);
        }
    }

    private TransactionTemplate transactions(DataSource source) {
        PlatformTransactionManager manager =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        return new TransactionTemplate(manager != null ? manager : new JdbcTransactionManager(source));
    }

    private static Executor background(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            thread.start();
        };
    }
}
