package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code stats detail}; memcached 1.6.18 has these replies, except for the order of prefixes. */
class PrefixCountsTest {
  private static final String DUMP = "stats detail dump";

  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void uses_countByPrefix_whileThatIsOn() {
    assertEquals("END\n", server.ask(DUMP));
    server.ask("set a:b 0 0 1", "x");
    assertEquals("OK\nEND\n", server.ask("stats detail on", DUMP));
    server.ask("set a:b 0 0 1", "x", "get a:b", "get a:c b:1 nopre");
    server.ask("delete a:b", "delete a:zz", "incr a:n 1", "add a:n 0 0 1", "5", "incr a:n 1");
    server.ask("touch a:n 0", "gat 0 a:n", "set :lead 0 0 1", "x", "get a:b:c");
    server.ask("cas a:n 0 0 1 9", "x", "append p:n 0 0 1", "x");
    server.ask("mg m:x v", "ms m:x 1", "y", "md m:x", "ma m:n N0");
    server.ask("set big:n 0 0 2000000", "x".repeat(2_000_000));
    String counted =
        """
        PREFIX  get 0 hit 0 set 1 del 0
        PREFIX a get 4 hit 2 set 3 del 2
        PREFIX b get 1 hit 0 set 0 del 0
        PREFIX big get 0 hit 0 set 1 del 0
        PREFIX p get 0 hit 0 set 1 del 0
        END
        """;
    assertEquals(counted, server.ask(DUMP));
    assertTrue(server.ask("stats settings").contains("STAT detail_enabled yes\n"));
    assertEquals("OK\n", server.ask("stats detail off"));
    server.ask("get a:b");
    assertEquals(counted, server.ask(DUMP));
    assertTrue(server.ask("stats settings").contains("STAT detail_enabled no\n"));
    assertEquals("RESET\nEND\n", server.ask("stats reset", DUMP));
  }

  @Test
  void usesByTheBinaryProtocol_countToo() {
    server.ask("stats detail on");
    EmbeddedChannel channel = server.connect();
    try {
      byte[] requests =
          BinaryPackets.encode(
              "set key=a:1 x=0000000000000000 v=x\nget key=a:1\nget key=a:2\ndelete key=a:1");
      channel.writeInbound(channel.alloc().buffer().writeBytes(requests));
      TestServer.received(channel);
    } finally {
      channel.finishAndReleaseAll();
    }
    assertEquals("PREFIX a get 2 hit 1 set 1 del 1\nEND\n", server.ask(DUMP));
  }

  @ParameterizedTest
  @ValueSource(strings = {"stats detail", "stats detail what"})
  void otherWords_areRefused(String command) {
    assertEquals("CLIENT_ERROR usage: stats detail on|off|dump\n", server.ask(command));
  }

  @Test
  void prefixes_areBounded() {
    server.ask("stats detail on");
    String[] gets =
        IntStream.range(0, PrefixCounts.PREFIXES_MAX + 100)
            .mapToObj(i -> "get p" + i + ":x")
            .toArray(String[]::new);
    server.ask(gets);
    long lines = server.ask(DUMP).lines().count();
    assertEquals(PrefixCounts.PREFIXES_MAX + 1, lines);
  }
}
