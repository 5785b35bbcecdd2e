package dev.isogrid.jdbc;

import dev.isogrid.api.InvalidConfigurationException;
import java.util.Locale;

/** The differences between databases in SQL and types. */
enum Dialect {
  /** PostgreSQL 9.5 or later. */
  POSTGRES("\"", "BYTEA", "BYTEA", Dialect.FETCH_SIZE) {
    @Override
    String upsert(TableNames names) {
      return insert(names)
          + " ON CONFLICT ("
          + names.id()
          + ") DO UPDATE SET "
          + assignments(names, "EXCLUDED.%s");
    }
  },
  /** MySQL 5.7 or later, and MariaDB. */
  MYSQL("`", "VARBINARY(512)", "LONGBLOB", Integer.MIN_VALUE) {
    @Override
    String upsert(TableNames names) {
      return insert(names) + " ON DUPLICATE KEY UPDATE " + assignments(names, "VALUES(%s)");
    }
  },
  /** H2 2.0 or later. */
  H2("\"", "VARBINARY(4096)", "BLOB", Dialect.FETCH_SIZE) {
    @Override
    String upsert(TableNames names) {
      return "MERGE INTO "
          + names.table()
          + " ("
          + names.columns()
          + ") KEY ("
          + names.id()
          + ") VALUES (?, ?, ?, ?, ?)";
    }
  };

  /** Rows per fetch. */
  static final int FETCH_SIZE = 1000;

  private final String quote;
  private final String idType;
  private final String dataType;
  private final int fetchSize;

  Dialect(String quote, String idType, String dataType, int fetchSize) {
    this.quote = quote;
    this.idType = idType;
    this.dataType = dataType;
    this.fetchSize = fetchSize;
  }

  /**
   * The dialect with a name from the configuration.
   *
   * @param url of the connection, which decides if the name is empty
   * @throws InvalidConfigurationException if it is unknown
   */
  static Dialect of(String name, String url) {
    String wanted = name.isEmpty() ? databaseOf(url) : name.toUpperCase(Locale.ROOT);
    return switch (wanted) {
      case "POSTGRES", "POSTGRESQL" -> POSTGRES;
      case "MYSQL", "MARIADB", "MARIA_DB" -> MYSQL;
      case "H2" -> H2;
      default ->
          throw new InvalidConfigurationException(
              "unknown dialect of a JDBC store: dialect=%s; use POSTGRES, MYSQL, MARIA_DB or H2"
                  .formatted(wanted.isEmpty() ? "none" : wanted));
    };
  }

  private static String databaseOf(String url) {
    String[] parts = url.split(":", 3);
    return parts.length < 2 ? "" : parts[1].toUpperCase(Locale.ROOT);
  }

  /** A name, quoted for statements; it must not contain quotes. */
  String quoted(String name) {
    return quote + name + quote;
  }

  /** The type of the column of keys, unless the configuration names another type. */
  String idType() {
    return idType;
  }

  /** The type of the column of values, unless the configuration names another type. */
  String dataType() {
    return dataType;
  }

  /**
   * Rows per fetch of a long result, so that the driver does not read all rows at once. A number
   * below 0 is the sign of MySQL's driver for one row after the other; other drivers refuse it.
   */
  int fetchSize() {
    return fetchSize;
  }

  /** The statement that inserts a row or replaces the row with the same key. */
  abstract String upsert(TableNames names);

  private static String insert(TableNames names) {
    return "INSERT INTO " + names.table() + " (" + names.columns() + ") VALUES (?, ?, ?, ?, ?)";
  }

  private static String assignments(TableNames names, String value) {
    StringBuilder text = new StringBuilder();
    for (String column : names.updated()) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(column)
          .append(" = ")
          .append(value.formatted(column));
    }
    return text.toString();
  }
}
