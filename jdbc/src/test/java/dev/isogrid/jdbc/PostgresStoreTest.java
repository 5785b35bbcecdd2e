package dev.isogrid.jdbc;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** The store in a PostgreSQL of this machine; skipped if none is installed. */
class PostgresStoreTest extends JdbcStoreContract {
  private static @Nullable PostgresServer server;

  @BeforeAll
  static void begin() throws IOException {
    Path programs = PostgresServer.programs();
    Assumptions.assumeTrue(programs != null, "no PostgreSQL in /usr/lib/postgresql");
    server = PostgresServer.start(Objects.requireNonNull(programs));
  }

  @AfterAll
  static void end() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  @Override
  String url() {
    return Objects.requireNonNull(server).url();
  }
}
