package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values off the heap that are sent in place. */
class LargeValueTest {
  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {4_000, 4_096, 4_097, 16_384, 65_536, TestServer.CONTENT_LENGTH_MAX - 100})
  void put_anySize_isReadAsWritten(int size) {
    byte[] value = new byte[size];
    new Random(size).nextBytes(value);
    for (String key : new String[] {"a", "b", "a"}) {
      String target = "/rest/v2/caches/plain/" + key;
      assertEquals(204, client.request("PUT", target, value, "Content-Type: a/b").status());
      assertArrayEquals(value, client.get(target).body());
    }
  }
}
