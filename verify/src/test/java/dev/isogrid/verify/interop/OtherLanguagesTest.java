package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients and tools of others: programs beside this module's install.sh, run with a server's ports.
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
  void javaScript_packagesForMemcached_work() throws Exception {
    assertPasses("node", "memcached-clients.cjs", String.valueOf(server.memcachedPort()));
  }

  @Test
  void python_packagesForMemcached_work() throws Exception {
    assertPasses(
        "../target/venv/bin/python",
        "memcached-clients.py",
        String.valueOf(server.memcachedPort()));
  }

  @Test
  void tools_ofMemcached_work() throws Exception {
    assertPasses("sh", "memcached-tools.sh", String.valueOf(server.memcachedPort()));
  }

  @Test
  void java_infinispansClientForRest_works() throws Exception {
    assertPasses(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        "../target/rest-client/*",
        "RestClientCheck.java",
        String.valueOf(server.port()));
  }

  @Test
  void shell_curl_works() throws Exception {
    assertPasses("sh", "rest-client.sh", String.valueOf(server.port()));
  }
}
