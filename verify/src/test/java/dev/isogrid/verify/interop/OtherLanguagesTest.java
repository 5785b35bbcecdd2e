package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients that are not Java: programs beside this module's install.sh, run with a server's ports.
 */
@Tag("interop")
@Tag("deep")
class OtherLanguagesTest {
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = ServerProcess.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void assertPasses(String... command) throws Exception {
    Programs.Result result = Programs.run("verify/interop", List.of(command));
    assertEquals(0, result.exitCode(), result.output());
    assertTrue(result.output().contains("all good"), result.output());
  }

  @Test
  void javaScript_infinispanPackage_works() throws Exception {
    assertPasses("node", "hotrod-client.cjs", String.valueOf(server.port()));
  }

  @Test
  void python_pymemcache_works() throws Exception {
    assertPasses(
        "../target/venv/bin/python", "memcached-client.py", String.valueOf(server.memcachedPort()));
  }

  @Test
  void shell_curl_works() throws Exception {
    assertPasses("sh", "rest-client.sh", String.valueOf(server.port()));
  }
}
