package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheMode;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.security.Access;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int PING = 0x17;

  private final TestServer server =
      new TestServer()
          .with("c", CacheMode.DIST_SYNC, 8)
          .with("other", CacheMode.DIST_SYNC, 16)
          .with("local", CacheMode.LOCAL, 8);
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private Response ping(int version, String cache, int intelligence, int topologyId) {
    return connection.call(
        new RequestBytes(version, PING).cache(cache).topology(intelligence, topologyId));
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 28, 31, 41})
  void ping_ofHashAwareClient_tellsTheOwnerOfEachSegment(int version) {
    Response response = ping(version, "c", 3, -1);
    assertTrue(response.hasTopology());
    assertEquals("10.1.2.3:11222", response.field("server"));
    assertEquals("3", response.field("hash function"));
    assertEquals("8", response.field("segments"));
    assertEquals(Collections.nCopies(8, "0"), response.all("owners"));
    assertTrue(Integer.parseInt(response.field("topology id")) >= 1);
  }

  @Test
  void ping_ofTopologyAwareClient_tellsTheServerOnly() {
    Response response = ping(41, "c", 2, 0);
    assertTrue(response.hasTopology());
    assertEquals("10.1.2.3:11222", response.field("server"));
    assertFalse(response.has("segments"));
  }

  @Test
  void ping_ofBasicClient_tellsNothing() {
    assertFalse(ping(41, "c", 1, -1).hasTopology());
  }

  @Test
  void request_withTheCurrentId_isToldNothing() {
    int id = Integer.parseInt(ping(41, "c", 3, -1).field("topology id"));
    assertFalse(ping(41, "c", 3, id).hasTopology());
    assertTrue(ping(41, "c", 3, id + 1).hasTopology());
    RequestBytes put = new RequestBytes(41, PUT).topology(3, id).string("k").u8(0x88).string("v");
    assertFalse(connection.call(put).hasTopology());
  }

  @Test
  void reads_andWrites_tellItBeforeTheBody() {
    Response put =
        connection.call(
            new RequestBytes(41, PUT).topology(3, 0).flags(1).string("k").u8(0x88).string("v"));
    assertEquals("8", put.field("segments"));
    assertEquals("", put.field("previous"));
    Response hit = connection.call(new RequestBytes(41, GET).topology(3, 0).string("k"));
    assertEquals("8", hit.field("segments"));
    assertEquals("v", hit.text("value"));
    Response miss = connection.call(new RequestBytes(41, GET).topology(3, 0).string("no"));
    assertEquals(2, miss.status());
    assertTrue(miss.hasTopology());
    assertFalse(miss.has("value"));
  }

  @Test
  void ids_ofDifferentTables_differ() {
    assertNotEquals(
        ping(41, "c", 3, -1).field("topology id"), ping(41, "other", 3, -1).field("topology id"));
  }

  @Test
  void recreatedCache_withOtherSegments_hasAnotherId() {
    String before = ping(41, "c", 3, -1).field("topology id");
    server.node.removeCache("c");
    server.with("c", CacheMode.DIST_SYNC, 32);
    Response after = ping(41, "c", 3, Integer.parseInt(before));
    assertEquals("32", after.field("segments"));
  }

  @Test
  void handleForOtherThread_hasTheSameTopology() {
    CacheEngine<BinaryKey, Bytes> engine = Objects.requireNonNull(server.node.engine("c"));
    CacheHandle handle =
        new CacheHandle(
            engine,
            server.context.traffic().latencies().of(engine),
            server.context.transcoder(),
            new TopologySections(server.context.topology(), server.context.ownEndpoint()),
            new InetSocketAddress("10.1.2.3", 11222),
            Access.FULL);
    assertNotNull(handle.topology());
    assertSame(handle.topology(), handle.forOtherThread().topology());
  }

  @Test
  void localCache_neverTells() {
    assertFalse(ping(41, "local", 3, -1).hasTopology());
  }

  @Test
  void error_neverTells() {
    assertFalse(ping(41, "missing", 3, -1).hasTopology());
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"INVALIDATION_SYNC", "INVALIDATION_ASYNC"})
  void invalidationCache_tellsNoOwners(CacheMode mode) {
    server.with("inv", mode, 8);
    Response response = ping(41, "inv", 3, -1);
    assertEquals("0", response.field("hash function"));
    assertEquals("0", response.field("segments"));
    assertEquals("10.1.2.3:11222", response.field("server"));
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"REPL_SYNC", "REPL_ASYNC", "DIST_ASYNC"})
  void otherClusteredCaches_tellOwners(CacheMode mode) {
    server.with("more", mode, 8);
    assertEquals(8, ping(41, "more", 3, -1).all("owners").size());
  }
}
