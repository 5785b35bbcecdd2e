package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** SpyMemcached in both of memcached's protocols, on both ports. */
@Tag("interop")
@ParameterizedClass
@EnumSource(ConnectionFactoryBuilder.Protocol.class)
class SpyMemcachedTest {
  /** In the binary protocol times are unsigned, so -1 is far in the future. */
  private static final int LONG_AGO_SECONDS = 1_000_000_000;

  private static ServerProcess server;

  private final ConnectionFactoryBuilder.Protocol protocol;

  private MemcachedClient client;

  SpyMemcachedTest(ConnectionFactoryBuilder.Protocol protocol) {
    this.protocol = protocol;
  }

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void connect() throws Exception {
    client = connect(server.memcachedPort());
    assertTrue(client.flush().get());
  }

  @AfterEach
  void disconnect() {
    client.shutdown();
  }

  private MemcachedClient connect(int port) throws IOException {
    return new MemcachedClient(
        new ConnectionFactoryBuilder().setProtocol(protocol).build(),
        List.of(new InetSocketAddress("127.0.0.1", port)));
  }

  @Test
  void objects_ofTheClientsKinds_comeBack() throws Exception {
    byte[] large = new byte[100_000];
    large[99_999] = 7;
    Map<String, Object> objects =
        Map.of("s", "text", "i", 42, "l", 1L << 40, "b", true, "d", 2.5, "list", List.of("a"));
    for (Map.Entry<String, Object> object : objects.entrySet()) {
      assertTrue(client.set(object.getKey(), 0, object.getValue()).get());
    }
    assertTrue(client.set("large", 0, large).get());
    assertEquals(objects, client.getBulk(objects.keySet()));
    assertArrayEquals(large, (byte[]) client.get("large"));
  }

  @Test
  void conditionalWrites_followTheirConditions() throws Exception {
    assertTrue(client.add("k", 0, "1").get());
    assertFalse(client.add("k", 0, "2").get());
    assertTrue(client.replace("k", 0, "3").get());
    assertFalse(client.replace("absent", 0, "x").get());
    CASValue<Object> current = client.gets("k");
    assertEquals(CASResponse.OK, client.cas("k", current.getCas(), "4"));
    assertEquals(CASResponse.EXISTS, client.cas("k", current.getCas(), "5"));
    assertEquals(CASResponse.NOT_FOUND, client.cas("absent", 1, "x"));
    assertTrue(client.append("k", "!").get());
    assertTrue(client.prepend("k", "?").get());
    assertEquals("?4!", client.get("k"));
    assertTrue(client.delete("k").get());
    assertNull(client.get("k"));
  }

  @Test
  void numbers_countUpAndDown() throws Exception {
    assertEquals(-1, client.incr("n", 1));
    assertTrue(client.set("n", 0, "10").get());
    assertEquals(15, client.incr("n", 5));
    assertEquals(0, client.decr("n", 100));
    assertEquals(7, client.incr("m", 1, 7));
  }

  @Test
  void expiry_inThePast_removesAtOnce() throws Exception {
    assertTrue(client.set("k", LONG_AGO_SECONDS, "v").get());
    assertNull(client.get("k"));
    assertTrue(client.set("k", 100, "v").get());
    assertTrue(client.touch("k", 200).get());
    assertEquals("v", client.get("k"));
  }

  @Test
  void sharedPort_isFoundToBeMemcached() throws Exception {
    MemcachedClient shared = connect(server.port());
    try {
      assertTrue(shared.set("shared", 0, "v").get());
      assertEquals("v", client.get("shared"));
      assertFalse(shared.getStats().isEmpty());
      assertEquals(1, shared.getVersions().size());
    } finally {
      shared.shutdown();
    }
  }
}
