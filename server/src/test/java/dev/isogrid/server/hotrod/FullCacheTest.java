package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.WhenFull;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers of Hot Rod to writes at a bound. */
class FullCacheTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int REMOVE = 0x0B;
  private static final int PUT_ALL = 0x2D;

  private final TestServer server =
      new TestServer().with("c", TestServer.config().maxCount(1).whenFull(WhenFull.EXCEPTION));
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private Response put(int version, String key) {
    return connection.call(new RequestBytes(version, PUT).string(key).defaultExpiry().string("v"));
  }

  private static void assertFull(Response refused) {
    assertEquals(0x50, refused.operation());
    assertEquals(0x85, refused.status());
    assertTrue(refused.field("message").contains("cache=c"), refused::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 25, 31, 41})
  void put_intoFullCache_isAServerErrorAndTheConnectionGoesOn(int version) {
    assertEquals(0, put(version, "a").status());
    assertFull(put(version, "b"));
    assertEquals(2, connection.call(new RequestBytes(version, GET).string("b")).status());
    assertEquals(0, put(version, "a").status());
    assertEquals(0, connection.call(new RequestBytes(version, REMOVE).string("a")).status());
    assertEquals(0, put(version, "b").status());
  }

  @ParameterizedTest
  @ValueSource(ints = {22, 41})
  void putAll_intoFullCache_isAServerError(int version) {
    assertFull(
        connection.call(
            new RequestBytes(version, PUT_ALL)
                .defaultExpiry()
                .vInt(2)
                .string("a")
                .string("1")
                .string("b")
                .string("2")));
    assertEquals(0, put(version, "a").status());
  }
}
