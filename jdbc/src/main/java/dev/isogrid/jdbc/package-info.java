/**
 * Stores of caches in relational databases: {@link dev.isogrid.jdbc.JdbcStore}, one table per
 * cache, with a pool of connections.
 */
@NullMarked
package dev.isogrid.jdbc;

import org.jspecify.annotations.NullMarked;
