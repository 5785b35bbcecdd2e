package dev.isogrid.jdbc;

import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.StoreContext;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The configuration of a {@link JdbcStore}.
 *
 * @param dialect the kind of database
 * @param names the table and its columns
 * @param idType the type of the column of keys
 * @param dataType the type of the column of values
 * @param createsTable whether the table is created if it is not there
 * @param dropsTable whether the table is dropped when the store is closed
 */
record Settings(
    Dialect dialect,
    TableNames names,
    String idType,
    String dataType,
    boolean createsTable,
    boolean dropsTable) {
  /** The longest name that all databases take is 63 characters. */
  private static final int NAME_LENGTH_MAX = 63;

  private static final int CHECKSUM_LENGTH = 9;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,62}");
  private static final Pattern TYPE = Pattern.compile("[A-Za-z][A-Za-z0-9_ (),]{0,99}");

  /**
   * Reads the settings.
   *
   * @throws InvalidConfigurationException if a setting is not valid; the message names it
   */
  static Settings of(StoreContext context) {
    Dialect dialect =
        Dialect.of(context.property("dialect", ""), context.property("connection-url", ""));
    String prefix = name(context, "table.prefix", "isogrid");
    TableNames names =
        new TableNames(
            dialect.quoted(table(prefix, context.cache())),
            dialect.quoted(name(context, "id-column.name", "id")),
            dialect.quoted(name(context, "data-column.name", "datum")),
            dialect.quoted(name(context, "timestamp-column.name", "expiry")),
            dialect.quoted(name(context, "segment-column.name", "segment")),
            dialect.quoted(name(context, "attributes-column.name", "attributes")));
    return new Settings(
        dialect,
        names,
        type(context, "id-column.type", dialect.idType()),
        type(context, "data-column.type", dialect.dataType()),
        Boolean.parseBoolean(context.property("table.create-on-start", "true")),
        Boolean.parseBoolean(context.property("table.drop-on-exit", "false")));
  }

  /**
   * The table of a cache. A cache name may have characters that a table name can't have. A checksum
   * keeps such names apart.
   */
  static String table(String prefix, String cache) {
    String plain = prefix + "_" + cache.replaceAll("[^A-Za-z0-9_]", "_");
    if (plain.equals(prefix + "_" + cache) && plain.length() <= NAME_LENGTH_MAX) {
      return plain;
    }
    CRC32 checksum = new CRC32();
    checksum.update(cache.getBytes(StandardCharsets.UTF_8));
    int kept = Math.min(plain.length(), NAME_LENGTH_MAX - CHECKSUM_LENGTH);
    return plain.substring(0, kept) + "_%08x".formatted(checksum.getValue());
  }

  private static String name(StoreContext context, String property, String byDefault) {
    return matching(context, property, byDefault, NAME, "letters, digits and _, 63 at most");
  }

  private static String type(StoreContext context, String property, String byDefault) {
    return matching(context, property, byDefault, TYPE, "the name of a type");
  }

  private static String matching(
      StoreContext context, String property, String byDefault, Pattern form, String allowed) {
    String value = context.property(property, byDefault);
    if (!form.matcher(value).matches()) {
      throw new InvalidConfigurationException(
          "invalid JDBC store: cache=%s, %s=%s; allowed is %s"
              .formatted(context.cache(), property, value, allowed));
    }
    return value;
  }

  /** Whether keys are kept as text, which is the hexadecimal form of their bytes. */
  boolean hasTextKeys() {
    String type = idType.toUpperCase(Locale.ROOT);
    return type.contains("CHAR") || type.contains("TEXT");
  }
}
