package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.HeldSegment;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Connections of one event loop, which is the test's thread, while another thread holds a segment.
 * A test that waits for the segment never ends.
 */
class HeldSegmentTest {
  private static final String HELD = "held";

  private final TestServer server = new TestServer();
  private final CacheEngine<BinaryKey, Bytes> engine = server.engine();
  private final String free = HeldSegment.elsewhere(engine, HELD);
  private final EmbeddedChannel channel = server.connect();

  HeldSegmentTest() {
    server.world.runsAsideAtOnce = false;
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    server.close();
  }

  private String finish() {
    while (!server.world.aside.isEmpty()) {
      server.world.aside.remove().run();
      channel.runPendingTasks();
    }
    return TestServer.received(channel).replace("\r\n", " ").strip();
  }

  @ParameterizedTest
  @CsvSource({
    "set held 0 0 1;y, STORED, y",
    "append held 0 0 1;y, STORED, 5y",
    "incr held 7, 12, 12",
    "touch held 100, TOUCHED, 5",
    "delete held, DELETED,",
    "gat 100 held, VALUE held 0 1 5 END, 5",
    "ms held 1;y, HD, y",
    "ma held, HD, 6",
    "md held, HD,",
    "mg held T100 v, VA 1 5, 5",
  })
  void write_ofAHeldSegment_doesNotHoldUpOtherConnections(
      String command, String reply, String after) throws Exception {
    assertEquals("STORED\n", server.ask("set held 0 0 1", "5"));
    try (HeldSegment _ = new HeldSegment(engine, HELD)) {
      assertEquals("", TestServer.ask(channel, command.split(";")));
      assertEquals("STORED\n", server.ask("set " + free + " 0 0 1", "x"));
      assertEquals("VALUE held 0 1\n5\nEND\n", server.ask("get held"));
    }
    assertEquals(reply, finish());
    String expected =
        after == null ? "END\n" : "VALUE held 0 %d\n%s\nEND\n".formatted(after.length(), after);
    assertEquals(expected, server.ask("get held"));
  }

  @Test
  void commandsAfterAWriteThatIsHeldUp_areAnsweredAfterIt() throws Exception {
    try (HeldSegment _ = new HeldSegment(engine, HELD)) {
      assertEquals("", TestServer.ask(channel, "set held 0 0 1", "1", "get held", "version"));
    }
    assertEquals("STORED VALUE held 0 1 1 END VERSION " + TestServer.VERSION, finish());
  }
}
