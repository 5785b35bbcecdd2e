package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.engine.StandInEngine;
import dev.isogrid.server.net.RecordedSpans;
import dev.isogrid.server.net.RequestSpans;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The spans of memcached's commands on keys. */
class CommandSpansTest {
  private final RecordedSpans spans = new RecordedSpans();
  private final List<RequestSpans.Ended> ended = spans.ended();
  private final TestServer server = new TestServer();

  CommandSpansTest() {
    server.context.traffic().spans(spans);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private List<String> operations() {
    List<String> names = ended.stream().map(RequestSpans.Ended::operation).toList();
    ended.clear();
    return names;
  }

  @Test
  void commands_ofTheTextProtocol_areReportedOncePerKey() {
    server.ask("set a 0 0 1", "1");
    RequestSpans.Ended set = ended.getFirst();
    assertEquals("memcached", set.protocol());
    assertEquals("set", set.operation());
    assertEquals(TestServer.CACHE, set.cache());
    assertNull(set.traceParent());
    assertNull(set.error());
    assertEquals(List.of("set"), operations());
    server.ask("get a b", "incr a 1", "touch a 0", "gat 0 a", "delete a", "version", "stats");
    assertEquals(List.of("get", "get", "incr", "touch", "gat", "delete"), operations());
  }

  @Test
  void commands_ofTheMetaProtocol_areReported() {
    server.ask("ms a 1", "1", "mg a v", "ma a", "md a", "mn");
    assertEquals(List.of("ms", "mg", "ma", "md"), operations());
  }

  @Test
  void requests_ofTheBinaryProtocol_areReportedByTheNamesOfTheTextProtocol() {
    EmbeddedChannel channel = server.connect();
    String requests =
        """
        set key=a x=0000000000000000 v=1
        get key=a
        increment key=a x=0000000000000001000000000000000000000000
        delete key=a
        """;
    channel.writeInbound(channel.alloc().buffer().writeBytes(BinaryPackets.encode(requests)));
    channel.finishAndReleaseAll();
    assertEquals(List.of("set", "get", "incr", "delete"), operations());
  }

  @Test
  void command_thatFails_isReportedAsFailed() {
    server.node.removeCache(TestServer.CACHE);
    server.node.createForServer(
        TestServer.CACHE,
        CacheConfig.builder()
            .storage(StorageType.OFF_HEAP)
            .maxCount(1)
            .whenFull(WhenFull.EXCEPTION)
            .build());
    server.ask("set a 0 0 1", "1", "set b 0 0 1", "2", "get a");
    assertEquals(3, ended.size());
    assertEquals(CacheFullException.class.getName(), ended.get(1).error());
    assertNull(ended.get(2).error());
  }

  @Test
  void command_thatWaits_isReportedWhenItIsDone() {
    StandInEngine engine = server.cluster();
    server.world.runsAsideAtOnce = false;
    engine.letWait("far");
    EmbeddedChannel channel = server.connect();
    TestServer.ask(channel, "set far 0 0 1", "1");
    assertTrue(ended.isEmpty());
    server.world.aside.remove().run();
    channel.runPendingTasks();
    assertEquals(List.of("set"), operations());
    channel.finishAndReleaseAll();
  }

  @Test
  void command_whileNobodyWantsSpans_isNotReported() {
    server.context.traffic().spans(null);
    server.ask("set a 0 0 1", "1");
    assertTrue(ended.isEmpty());
  }
}
