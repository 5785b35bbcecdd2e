package dev.isogrid.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.StoreContext;
import dev.isogrid.api.StoreEntry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class H2StoreTest extends JdbcStoreContract {
  private static final String URL = "jdbc:h2:mem:isogrid-store-test";

  /** Keeps the database open: it ends with its last connection. */
  private static Connection keeping;

  @BeforeAll
  static void begin() throws SQLException {
    keeping = DriverManager.getConnection(URL);
  }

  @AfterAll
  static void end() throws SQLException {
    keeping.close();
  }

  /** A driver that refuses the sign of MySQL's own for reading row by row, as MariaDB's does. */
  @Test
  void publish_withAnotherDriverOfMySql_readsAllRows() throws SQLException {
    Map<String, String> properties =
        Map.of(
            "connection-url", "jdbc:h2:mem:isogrid-mysql;MODE=MySQL;DB_CLOSE_DELAY=-1",
            "dialect", "MARIA_DB");
    List<String> found = new ArrayList<>();
    try (JdbcStore store = new JdbcStore()) {
      store.open(new StoreContext("c", properties, 8, H2StoreTest.class.getClassLoader()));
      store.write(List.of(entry("a"), entry("b")));
      store.write(List.of(entry("a")));
      store.publish(
          segment -> true, each -> found.add(new String(each.key(), StandardCharsets.UTF_8)));
    }
    assertEquals(List.of("a", "b"), found.stream().sorted().toList());
  }

  private static StoreEntry<byte[], byte[]> entry(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return new StoreEntry<>(bytes, bytes, 3, -1, -1, 0, null);
  }

  @Override
  String url() {
    return URL;
  }
}
