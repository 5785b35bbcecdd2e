package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.StorageType;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The lines of {@code watch}; memcached 1.6.18 has the same fields in the same order. */
class WatchTest {
  private final TestServer server = new TestServer();
  private final List<EmbeddedChannel> watchers = new ArrayList<>();

  @AfterEach
  void close() {
    watchers.forEach(EmbeddedChannel::finishAndReleaseAll);
    server.close();
  }

  private EmbeddedChannel watch(String kinds) {
    EmbeddedChannel watcher = server.connect();
    watchers.add(watcher);
    assertEquals("OK\n", TestServer.ask(watcher, "watch" + kinds));
    return watcher;
  }

  private static String told(EmbeddedChannel watcher) {
    watcher.runPendingTasks();
    return TestServer.received(watcher).replace("\r\n", "\n");
  }

  /** The lines without time, line number and connection number. */
  private static String happenings(EmbeddedChannel watcher) {
    return told(watcher)
        .lines()
        .map(line ->
            line.replaceAll("ts=\\d+\\.\\d+ gid=\\d+ type=", "").replaceAll(" cfd=\\d+", ""))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void watch_ofFetchers_showsReads() {
    EmbeddedChannel watcher = watch(" fetchers");
    server.ask("set a,b 0 0 5", "hello", "get a,b none", "gat 0 a,b", "mg none", "mg a,b");
    assertEquals(
        """
        item_get key=a%2Cb status=found clsid=1 size=5
        item_get key=none status=not_found clsid=0 size=0
        item_get key=a%2Cb status=found clsid=1 size=5
        item_get key=none status=not_found clsid=0 size=0
        item_get key=a%2Cb status=found clsid=1 size=5\
        """,
        happenings(watcher));
  }

  @Test
  void watch_ofMutations_showsWhatWasStoredAndWhatWasNot() {
    EmbeddedChannel watcher = watch(" mutations");
    server.ask("set a 0 100 1", "x", "add a 0 0 1", "x", "cas a 0 0 1 999", "x");
    server.ask("cas b 0 0 1 1", "x", "append a 0 0 2", "yy", "ms a 2 T30", "hi", "ma n N0 J55");
    server.ask("get a", "delete a", "set a 0 0 2000000", "x".repeat(2_000_000));
    assertEquals(
        """
        item_store key=a status=stored cmd=set ttl=100 clsid=1 size=1
        item_store key=a status=not_stored cmd=add ttl=0 clsid=1 size=1
        item_store key=a status=exists cmd=cas ttl=0 clsid=1 size=1
        item_store key=b status=not_found cmd=cas ttl=0 clsid=1 size=1
        item_store key=a status=stored cmd=append ttl=0 clsid=1 size=2
        item_store key=a status=stored cmd=set ttl=30 clsid=1 size=2
        item_store key=n status=stored cmd=add ttl=0 clsid=1 size=2
        item_store key=a status=too_large cmd=set ttl=0 clsid=1 size=0\
        """,
        happenings(watcher));
  }

  @Test
  void watch_ofBinaryRequests_showsTheSame() {
    EmbeddedChannel watcher = watch(" mutations fetchers");
    EmbeddedChannel client = server.connect();
    byte[] requests =
        BinaryPackets.encode("setq key=a\\x20b x=0000000000000064 v=x\ngetkq key=a\\x20b");
    client.writeInbound(client.alloc().buffer().writeBytes(requests));
    client.finishAndReleaseAll();
    assertEquals(
        """
        item_store key=a%20b status=stored cmd=set ttl=100 clsid=1 size=1
        item_get key=a%20b status=found clsid=1 size=1\
        """,
        happenings(watcher));
  }

  @Test
  void watch_ofEvictions_showsWhatMakesRoom() {
    server.node.discardCache(TestServer.CACHE);
    CacheConfig bounded = CacheConfig.builder().storage(StorageType.OFF_HEAP).maxCount(10).build();
    server.node.createForServer(TestServer.CACHE, bounded);
    EmbeddedChannel watcher = watch(" evictions");
    for (int i = 0; i < 50; i++) {
      server.ask("set key" + i + " 0 60 3", "xyz");
    }
    String happenings = happenings(watcher);
    assertTrue(happenings.lines().count() >= 40, happenings);
    assertTrue(
        happenings
            .lines()
            .allMatch(
                line -> line.matches("eviction key=key\\d+ fetch=no ttl=60 la=0 clsid=1 size=3")),
        happenings);
  }

  @Test
  void watch_withoutArguments_isOfFetchers() {
    EmbeddedChannel watcher = watch("");
    server.ask("get a");
    assertEquals("item_get key=a status=not_found clsid=0 size=0", happenings(watcher));
  }

  @Test
  void watcher_isToldOnlyWhatItAskedFor_andAnswersNothing() {
    EmbeddedChannel watcher = watch(" mutations");
    assertEquals("", TestServer.ask(watcher, "version", "get a", "quit"));
    server.ask("get a");
    assertEquals("", told(watcher));
    assertTrue(watcher.isOpen());
  }

  @Test
  void watch_ofWhatIsNotThere_isAnError() {
    assertEquals("ERROR\nERROR\nMN\n", server.ask("watch zork", "watch fetchers zork", "mn"));
    server.ask("get a");
  }

  @Test
  void watchers_areCountedAndLimited() {
    for (int i = 0; i < Watchers.COUNT_MAX; i++) {
      watch("");
    }
    assertEquals("WATCHER_TOO_MANY log watcher limit reached\nMN\n", server.ask("watch", "mn"));
    assertTrue(server.ask("stats").contains("STAT log_watchers 20\n"));
    watchers.removeLast().finishAndReleaseAll();
    assertTrue(server.ask("stats").contains("STAT log_watchers 19\n"));
    watch("");
  }

  @Test
  void watcher_thatDoesNotRead_isToldWhatItMissed() {
    EmbeddedChannel watcher = watch(" mutations");
    String command = "set " + "k".repeat(250) + " 0 0 1 noreply";
    int count = 2 * Watcher.QUEUE_BYTES_MAX / 300;
    for (int i = 0; i < count; i++) {
      server.ask(command, "x");
    }
    String first = told(watcher);
    assertTrue(first.length() <= Watcher.QUEUE_BYTES_MAX);
    long missed = count - first.lines().count();
    assertTrue(missed > 0);
    server.ask("set a 0 0 1", "x");
    assertTrue(told(watcher).startsWith("skipped=" + missed + "\nts="));
    assertTrue(server.ask("stats").contains("STAT log_watcher_skipped " + missed + "\n"));
  }

  @Test
  void commands_withoutWatchers_makeNoLines() {
    EmbeddedChannel watcher = server.connect();
    assertEquals("OK\n", TestServer.ask(watcher, "watch fetchers mutations"));
    watcher.finishAndReleaseAll();
    server.ask("set a 0 0 1", "x", "get a");
    assertTrue(server.ask("stats").contains("STAT log_worker_written 0\n"));
    assertFalse(watcher.isOpen());
  }
}
