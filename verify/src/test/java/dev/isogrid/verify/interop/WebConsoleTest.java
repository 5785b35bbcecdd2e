package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.Users;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The web console in a real browser, which comes from the npm registry. The program checks each
 * view in light and dark and on a phone, and leaves screenshots in {@code verify/target/console}.
 */
@Tag("interop")
@Tag("deep")
class WebConsoleTest {
  private static Programs.Result run(String... command) throws Exception {
    Programs.Result result = Programs.run("verify/interop", List.of(command));
    assertEquals(0, result.exitCode(), result.output());
    return result;
  }

  @Test
  void console_inABrowser_showsAllViewsAndChangesEntries(@TempDir Path data) throws Exception {
    run("sh", "install.sh", "browser");
    try (ServerProcess server = ServerProcess.start("--no-cluster", "--data", data.toString())) {
      Programs.Result result = run("node", "console.mjs", String.valueOf(server.port()));
      assertTrue(result.output().contains("all good"), result.output());
    }
  }

  @Test
  void console_withALogin_showsAllViewsAndChangesEntries(@TempDir Path data) throws Exception {
    run("sh", "install.sh", "browser");
    Path conf = Files.createDirectories(data.resolve("conf"));
    new Users(conf, SecuritySettings.REALM).create("ada", "secret", List.of("admin"));
    try (ServerProcess server =
        ServerProcess.start(
            "--no-cluster", "--data", data.toString(), "--auth", "--allow-clear-text")) {
      Programs.Result result =
          run("node", "console.mjs", String.valueOf(server.port()), "ada", "secret");
      assertTrue(result.output().contains("all good"), result.output());
    }
  }
}
