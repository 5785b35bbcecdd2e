package dev.isogrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cli.CommandLineSession.Ran;
import dev.isogrid.server.Protection;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands for what is not there: empty keys and names, and servers. */
class AbsenceTest {
  @SuppressWarnings("NullAway.Init") // by startTheServer
  private static CommandServer server;

  @TempDir Path folder;

  @BeforeAll
  static void startTheServer() {
    server = new CommandServer(Protection.NONE);
  }

  @AfterAll
  static void stopTheServer() {
    server.close();
  }

  private CommandLineSession cli() {
    return new CommandLineSession(folder, server.url());
  }

  private String output(String script) {
    Ran ran = cli().script(script);
    assertEquals("", ran.errors());
    assertEquals(ExitCode.DONE, ran.exitCode());
    return ran.output();
  }

  @Test
  void emptyKeyOrName_isRefused_andNotTakenForTheCache() {
    output("create cache --template org.infinispan.LOCAL c\nput -c c k v");
    for (List<String> words :
        List.of(
            List.of("remove", "-c", "c", ""),
            List.of("remove", "-c", "", "c"),
            List.of("put", "-c", "c", "", "{\"local-cache\":{}}"),
            List.of("get", "-c", "c", ""))) {
      Ran ran = cli().run(words.toArray(String[]::new));
      assertEquals(ExitCode.USAGE, ran.exitCode(), ran::toString);
      assertTrue(ran.errors().contains("a key is empty: path=/rest/v2/caches"), ran::errors);
    }
    assertEquals("v\n", output("get -c c k"));
    assertEquals("x\n", output("put -c c --hex 0x x\nget -c c --hex 0x"));
  }

  @Test
  void import_ofAnEmptyKey_writesThatEntry() {
    output("create cache --template org.infinispan.LOCAL i");
    String entries = "{\"key\":\"\",\"value\":\"none\"}\n{\"key\":\"k\",\"value\":\"v\"}\n";
    Ran ran = cli().runWith(entries, "-c", server.url(), "import", "-c", "i", "-");
    assertEquals("imported 2 entries\n", ran.output(), ran::errors);
    assertEquals("none\nv\n", output("get -c i --hex 0x\nget -c i k"));
  }

  @Test
  void scriptThatKeepsGoing_asksForTheServerAtEachCommand() {
    Ran ran =
        cli().runWith("size c\nsize d\n", "-c", "http://127.0.0.1:1", "--keep-going", "-f", "-");
    assertEquals(ExitCode.FAILED, ran.exitCode());
    for (int line = 1; line <= 2; line++) {
      String expected = "input:%d: no connection: server=http://127.0.0.1:1;".formatted(line);
      assertTrue(ran.errors().contains(expected), ran::errors);
    }
  }
}
