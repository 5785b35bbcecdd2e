package dev.isogrid.jdbc;

import java.util.List;

/**
 * The names of a table and its columns, quoted.
 *
 * @param table the table
 * @param id the column of keys
 * @param data the column of values
 * @param expiry the column of times at which entries expire, -1 for never
 * @param segment the column of segments
 * @param attributes the column of the other attributes; null if an entry has none
 */
record TableNames(
    String table, String id, String data, String expiry, String segment, String attributes) {
  /** All columns, in the order of the statements. */
  String columns() {
    return String.join(", ", List.of(id, data, expiry, segment, attributes));
  }

  /** All columns except the column of keys. */
  List<String> updated() {
    return List.of(data, expiry, segment, attributes);
  }
}
