package dev.isogrid.verify.interop;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Events and aliases of one server. */
@Tag("interop")
class ServerEventsTest extends EventsAndAliasesContract {
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = ServerProcess.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  List<Integer> ports() {
    return List.of(server.port());
  }
}
