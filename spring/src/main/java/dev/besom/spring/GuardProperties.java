package dev.besom.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A guard over a column of a table: {@code besom.guards.NAME}.
 *
 * @param table The table, with or without a schema. Required.
 * @param key The column of keys, which is unique. Required.
 * @param contract Who writes to the table, and so what a "no" rests on. Required.
 * @param keyType What the column of keys holds: text, long or uuid.
 * @param hashColumn The column of hashes, which is added to the table unless it is there. Each guard of a table has its own.
 * @param keysInOneForm Whether keys come in one form, such as lower case, so that a column that ignores case is allowed.
 * @param kind The kind of filter, one that repairs its false positives and grows.
 * @param fpp The rate of false positives that the filter is planned for.
 * @param capacity For how many keys there is room before anything grows; by default a quarter more than are stored.
 * @param waitForLease How long the start waits for another instance to give up the table, under the contract sole.
 * @param lease How long an instance may be silent before the others write without it, under the contract fleet. The same for all.
 * @param staleness How old a "no" may be, under the contract feed.
 * @param createFeed Whether to make the trigger that records changes, under the contract feed, unless it is there.
 * @param dataSource The bean of the data source, where there are several.
 */
@ConfigurationPropertiesSource
public record GuardProperties(
        @Nullable String table,
        @Nullable String key,
        @Nullable GuardContract contract,
        @DefaultValue("text") KeyType keyType,
        @DefaultValue("besom_hash") String hashColumn,
        @DefaultValue("false") boolean keysInOneForm,
        @DefaultValue("telescoping") String kind,
        @DefaultValue("0.00390625") double fpp,
        @Nullable Long capacity,
        @DefaultValue("0s") Duration waitForLease,
        @DefaultValue("5s") Duration lease,
        @DefaultValue("1s") Duration staleness,
        @DefaultValue("false") boolean createFeed,
        @Nullable String dataSource) {}
