package dev.isogrid.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

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

  @Override
  String url() {
    return URL;
  }
}
