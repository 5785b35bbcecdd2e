package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.engine.StandInEngine;
import dev.isogrid.server.net.CacheLatencies;
import dev.isogrid.server.net.CacheLatencies.Kind;
import dev.isogrid.store.BinaryKey;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations of memcached clients count in the histograms of their cache. */
class LatencyTest {
  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  private void count() {
    server.context.catalog().updateAttribute(TestServer.CACHE, "statistics", "true");
  }

  private long counted(Kind kind) {
    CacheLatencies latencies = server.context.traffic().latencies().of(server.engine());
    return latencies.snapshot(CacheLatencies.Protocol.MEMCACHED, kind).count();
  }

  @Test
  void commandsOfText_countByKind() {
    count();
    server.ask("set a 0 0 1", "x", "add a 0 0 1", "x", "cas a 0 0 1 1", "x", "ms b 1", "y");
    assertEquals(4, counted(Kind.PUT));
    server.ask("get a", "get a b none", "mg a v", "me a");
    assertEquals(6, counted(Kind.GET));
    server.ask("delete a", "md b");
    assertEquals(2, counted(Kind.REMOVE));
    server.ask("incr n 1", "ma n N0", "touch n 0", "gat 0 n", "mg n T10");
    assertEquals(5, counted(Kind.OTHER));
    server.ask("version", "stats", "nonsense", "get");
    assertEquals(6, counted(Kind.GET));
    assertEquals(5, counted(Kind.OTHER));
  }

  @Test
  void requestsOfTheBinaryProtocol_countByKind() {
    count();
    EmbeddedChannel channel = server.connect();
    try {
      byte[] requests =
          BinaryPackets.encode(
              "set key=a x=0000000000000000 v=x\nget key=a\ngetq key=none\ndelete key=a");
      channel.writeInbound(channel.alloc().buffer().writeBytes(requests));
      TestServer.received(channel);
    } finally {
      channel.finishAndReleaseAll();
    }
    assertEquals(1, counted(Kind.PUT));
    assertEquals(2, counted(Kind.GET));
    assertEquals(1, counted(Kind.REMOVE));
  }

  /** An operation that waits while the given time passes, on a connection of its own. */
  private String answerAfter(long millis, String... lines) {
    EmbeddedChannel channel = server.connect();
    try {
      String early = TestServer.ask(channel, lines);
      server.world.advance(millis);
      server.world.aside.remove().run();
      channel.runPendingTasks();
      return early + TestServer.received(channel);
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  @Test
  void slowOperations_areLogged() {
    server.context.traffic().slowLog().threshold(50);
    StandInEngine engine = server.cluster();
    server.world.runsAsideAtOnce = false;
    engine.letWait("far");

    answerAfter(49, "set far 0 0 3", "abc");
    assertEquals(List.of(), server.slow);
    answerAfter(50, "set far 0 0 3", "abc");
    answerAfter(60, "get far");
    String hash = "%08x".formatted(BinaryKey.of(TestServer.ascii("far")).hash());
    assertEquals(
        List.of(
            "slow: operation=memcached set, cache=memcachedCache, keyHash="
                + hash
                + ", size=6, queuedMicros=0, workedMicros=50000",
            "slow: operation=memcached get, cache=memcachedCache, keyHash="
                + hash
                + ", size=3, queuedMicros=0, workedMicros=60000"),
        server.slow);
  }

  @Test
  void withoutStatistics_nothingCounts() {
    server.ask("set a 0 0 1", "x", "get a");
    assertEquals(0, counted(Kind.PUT));
    assertEquals(0, counted(Kind.GET));
  }
}
