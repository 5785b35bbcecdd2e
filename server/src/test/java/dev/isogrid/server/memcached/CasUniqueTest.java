package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CasUniqueTest {
  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void gets_ofFreshKeys_giveEachItsOwn() {
    int keys = 1000;
    Set<String> uniques = new HashSet<>();
    for (int i = 0; i < keys; i++) {
      server.ask("set k" + i + " 0 0 1", "x");
      uniques.add(server.ask("gets k" + i).lines().findFirst().orElseThrow().split(" ", -1)[4]);
      uniques.add(server.ask("ms k" + i + " 1 c", "y").strip().split("HD c", -1)[1]);
    }
    assertEquals(2 * keys, uniques.size());
  }

  @Test
  void commands_withAUniqueOfAnother_knowIt() {
    String unique = server.ask("ms a 1 c", "5").strip().replace("HD c", "");
    assertEquals("VALUE a 0 1 " + unique + "\n5\nEND\n", server.ask("gets a"));
    assertEquals("HD c" + unique + "\n", server.ask("mg a c"));
    String next = server.ask("ma a c C" + unique).strip().replace("HD c", "");
    assertEquals("EX\nHD\n", server.ask("ma a C" + unique, "md a C" + next));
  }
}
