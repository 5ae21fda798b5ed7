package dev.besom.guard.jdbc;

/** What a store in a database promises, whichever database it is. */
interface JdbcPromises extends JdbcStorePromises, AdoptedTablePromises, TransactionPromises, TableShapePromises {}
