package dev.isogrid.jdbc;

import dev.isogrid.api.BytesStore;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.StoreContext;
import dev.isogrid.api.StoreEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the entries of a cache in a table of a relational database: one row per entry, with key,
 * value, the time at which it expires, and its segment. PostgreSQL, MySQL, MariaDB and H2.
 *
 * <p>Properties: {@code connection-url}, {@code username}, {@code password} and {@code driver}, or
 * {@code data-source.jndi-url}; {@code dialect}, by default that of the URL; {@code pool.max-size}
 * and {@code pool.min-size}; {@code table.prefix}, {@code table.create-on-start}, {@code
 * table.drop-on-exit}; {@code name} and {@code type} of {@code id-column} and {@code data-column},
 * {@code name} of {@code timestamp-column}, {@code segment-column} and {@code attributes-column}.
 *
 * <p>A batch is a transaction. Several nodes may use a table at the same time.
 */
public final class JdbcStore implements BytesStore, AutoCloseable {
  /** The name of this kind of store in configurations. */
  public static final String NAME = "jdbc";

  /** The time limit of a statement on some rows. Reading all rows may take longer. */
  private static final int STATEMENT_SECONDS = 30;

  /** The most keys of one query. */
  private static final int QUERY_MAX = 100;

  private static final int ID = 1;
  private static final int DATA = 2;
  private static final int EXPIRY = 3;
  private static final int SEGMENT = 4;
  private static final int ATTRIBUTES = 5;

  private @Nullable Settings settings;
  private @Nullable Connections connections;

  /** Makes a store that is not open yet. */
  public JdbcStore() {}

  @Override
  public void open(StoreContext context) throws SQLException {
    Settings read = Settings.of(context);
    Connections opened = Connections.open(context);
    boolean isReady = false;
    try (Connection connection = opened.take()) {
      if (read.createsTable()) {
        createTable(connection, read);
      }
      checkTable(connection, read);
      isReady = true;
    } finally {
      if (!isReady) {
        opened.close();
      }
    }
    settings = read;
    connections = opened;
  }

  private static void createTable(Connection connection, Settings settings) throws SQLException {
    TableNames names = settings.names();
    String sql =
        "CREATE TABLE IF NOT EXISTS %s (%s %s NOT NULL, %s %s NOT NULL, %s BIGINT NOT NULL, %s INT"
                .formatted(
                    names.table(),
                    names.id(),
                    settings.idType(),
                    names.data(),
                    settings.dataType(),
                    names.expiry(),
                    names.segment())
            + " NOT NULL, %s %s, PRIMARY KEY (%s))"
                .formatted(names.attributes(), settings.dialect().idType(), names.id());
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failure) {
      // Another node may have created the table at the same moment, which some databases refuse.
      try {
        checkTable(connection, settings);
      } catch (SQLException alsoFailed) {
        failure.addSuppressed(alsoFailed);
        throw failure;
      }
    }
  }

  private static void checkTable(Connection connection, Settings settings) throws SQLException {
    TableNames names = settings.names();
    String sql = "SELECT " + names.columns() + " FROM " + names.table() + " WHERE 1 = 0";
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery(sql)) {
      if (none.next()) {
        throw new SQLException("a table that can't be looked at: table=" + names.table());
      }
    }
  }

  private Settings settings() {
    Settings known = settings;
    if (known == null) {
      throw new InvalidConfigurationException("JDBC store is not open; open it first");
    }
    return known;
  }

  private Connection take() throws SQLException {
    return Objects.requireNonNull(connections).take();
  }

  private static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setQueryTimeout(STATEMENT_SECONDS);
    return statement;
  }

  private void setKey(PreparedStatement statement, int place, byte[] key) throws SQLException {
    if (settings().hasTextKeys()) {
      statement.setString(place, HexFormat.of().formatHex(key));
    } else {
      statement.setBytes(place, key);
    }
  }

  private byte[] key(ResultSet row) throws SQLException {
    return settings().hasTextKeys() ? HexFormat.of().parseHex(row.getString(ID)) : row.getBytes(ID);
  }

  private StoreEntry<byte[], byte[]> entry(ResultSet row) throws SQLException {
    Attributes attributes = Attributes.read(row.getBytes(ATTRIBUTES));
    return new StoreEntry<>(
        key(row),
        row.getBytes(DATA),
        row.getInt(SEGMENT),
        row.getLong(EXPIRY),
        attributes.maxIdleMillis(),
        attributes.clientFlags(),
        attributes.mediaType());
  }

  @Override
  public @Nullable StoreEntry<byte[], byte[]> load(byte[] key) throws SQLException {
    List<StoreEntry<byte[], byte[]>> found = new ArrayList<>(1);
    query(List.of(key), found::add);
    return found.isEmpty() ? null : found.get(0);
  }

  @Override
  public void loadAll(List<byte[]> keys, Consumer<StoreEntry<byte[], byte[]>> found)
      throws SQLException {
    for (int from = 0; from < keys.size(); from += QUERY_MAX) {
      query(keys.subList(from, Math.min(keys.size(), from + QUERY_MAX)), found);
    }
  }

  private void query(List<byte[]> keys, Consumer<StoreEntry<byte[], byte[]>> found)
      throws SQLException {
    TableNames names = settings().names();
    String sql =
        "SELECT "
            + names.columns()
            + " FROM "
            + names.table()
            + " WHERE "
            + names.id()
            + " IN (?"
            + ", ?".repeat(keys.size() - 1)
            + ")";
    try (Connection connection = take();
        PreparedStatement statement = prepare(connection, sql)) {
      for (int i = 0; i < keys.size(); i++) {
        setKey(statement, i + 1, keys.get(i));
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.accept(entry(rows));
        }
      }
    }
  }

  @Override
  public void write(List<StoreEntry<byte[], byte[]>> batch) throws SQLException {
    List<StoreEntry<byte[], byte[]>> ordered = new ArrayList<>(batch);
    // The keys have one order, so that two transactions never wait for each other.
    ordered.sort(Comparator.comparing(StoreEntry::key, Arrays::compareUnsigned));
    transact(
        settings().dialect().upsert(settings().names()),
        statement -> {
          for (StoreEntry<byte[], byte[]> entry : ordered) {
            setKey(statement, ID, entry.key());
            statement.setBytes(DATA, entry.value());
            statement.setLong(EXPIRY, entry.expiryMillis());
            statement.setInt(SEGMENT, entry.segment());
            byte[] attributes = Attributes.of(entry).toBytes();
            if (attributes == null) {
              statement.setNull(ATTRIBUTES, Types.VARBINARY);
            } else {
              statement.setBytes(ATTRIBUTES, attributes);
            }
            statement.addBatch();
          }
        });
  }

  @Override
  public void delete(List<byte[]> keys) throws SQLException {
    List<byte[]> ordered = new ArrayList<>(keys);
    ordered.sort(Arrays::compareUnsigned);
    TableNames names = settings().names();
    transact(
        "DELETE FROM " + names.table() + " WHERE " + names.id() + " = ?",
        statement -> {
          for (byte[] key : ordered) {
            setKey(statement, ID, key);
            statement.addBatch();
          }
        });
  }

  /** Sets the parameters of a statement. */
  private interface Filling {
    void fill(PreparedStatement statement) throws SQLException;
  }

  private void transact(String sql, Filling filling) throws SQLException {
    try (Connection connection = take();
        PreparedStatement statement = prepare(connection, sql)) {
      connection.setAutoCommit(false);
      try {
        filling.fill(statement);
        statement.executeBatch();
        connection.commit();
      } catch (SQLException | RuntimeException failure) {
        rollBack(connection, failure);
        throw failure;
      }
      connection.setAutoCommit(true);
    }
  }

  /** Rolls back a failed transaction. A failure of the rollback is added to the first one. */
  private static void rollBack(Connection connection, Exception failure) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    }
  }

  @Override
  public void publish(IntPredicate segments, Consumer<StoreEntry<byte[], byte[]>> target)
      throws SQLException {
    TableNames names = settings().names();
    String sql = "SELECT " + names.columns() + " FROM " + names.table();
    try (Connection connection = take()) {
      connection.setAutoCommit(false); // PostgreSQL reads row by row only within a transaction
      try (Statement statement = connection.createStatement()) {
        fetchInParts(statement, settings().dialect());
        try (ResultSet rows = statement.executeQuery(sql)) {
          while (rows.next()) {
            if (segments.test(rows.getInt(SEGMENT))) {
              target.accept(entry(rows));
            }
          }
        }
        connection.commit();
      } catch (SQLException | RuntimeException failure) {
        rollBack(connection, failure);
        throw failure;
      }
      connection.setAutoCommit(true);
    }
  }

  /** Lets the driver read some rows at a time, in place of all. */
  private static void fetchInParts(Statement statement, Dialect dialect) throws SQLException {
    int size = dialect.fetchSize();
    try {
      statement.setFetchSize(size);
    } catch (SQLException refused) {
      if (size >= 0) {
        throw refused;
      }
      statement.setFetchSize(Dialect.FETCH_SIZE); // a driver without MySQL's own sign, as MariaDB's
    }
  }

  @Override
  public void deleteExpired(long nowMillis) throws SQLException {
    TableNames names = settings().names();
    String sql =
        "DELETE FROM %s WHERE %s >= 0 AND %s <= ?"
            .formatted(names.table(), names.expiry(), names.expiry());
    try (Connection connection = take();
        PreparedStatement statement = prepare(connection, sql)) {
      statement.setLong(1, nowMillis);
      statement.executeUpdate();
    }
  }

  @Override
  public void clear() throws SQLException {
    execute("DELETE FROM " + settings().names().table());
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = take();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    Connections opened = connections;
    if (opened == null) {
      return;
    }
    try (opened) {
      if (settings().dropsTable()) {
        execute("DROP TABLE IF EXISTS " + settings().names().table());
      }
    } finally {
      connections = null;
    }
  }
}
