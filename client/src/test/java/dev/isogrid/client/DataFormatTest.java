package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A cache in several forms of keys and values. */
class DataFormatTest {
  @Test
  void withDataFormat_readsAndWritesInThatForm() {
    try (TestServer server = new TestServer();
        RemoteCacheManager manager =
            new RemoteCacheManager(
                ClientConfig.builder()
                    .addServer("localhost", server.port()) // a name that is looked up
                    .marshaller(new StringMarshaller())
                    .nearCache("default", NearCacheConfig.invalidated(10))
                    .build())) {
      RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
      RemoteCache<byte[], byte[]> bytes =
          cache.withDataFormat(DataFormat.of(new BytesMarshaller()));
      byte[] key = "k".getBytes(StandardCharsets.UTF_8);
      bytes.put(key, "v".getBytes(StandardCharsets.UTF_8));
      assertEquals("v", cache.get("k"));
      assertArrayEquals("v".getBytes(StandardCharsets.UTF_8), bytes.get(key));
      bytes.put(key, "w".getBytes(StandardCharsets.UTF_8));
      assertEquals("w", cache.get("k")); // what is kept here is dropped by any write of the client
    }
  }

  @Test
  void json_isText() {
    JsonMarshaller json = new JsonMarshaller();
    assertEquals("application/json", json.mediaType());
    assertEquals("{\"a\":\"\u00e9\"}", json.fromBytes(json.toBytes("{\"a\":\"\u00e9\"}")));
    assertThrows(MarshallingException.class, () -> json.toBytes(1));
  }
}
