package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.StreamingRemoteCache;
import org.infinispan.client.hotrod.VersionedMetadata;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.configuration.StringConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values in chunks by the official Hot Rod client for Java with its default settings. */
@Tag("interop")
@Tag("deep")
class HotRodStreamingTest {
  /** The bytes that the client requests at once. */
  private static final int CHUNK = 8192;

  private static ServerProcess server;
  private static RemoteCacheManager manager;
  private RemoteCache<String, byte[]> cache;
  private StreamingRemoteCache<String> streaming;

  @BeforeAll
  static void start() {
    server = ServerProcess.start();
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(server.port());
    builder.socketTimeout(30_000); // other tests may have the processors
    manager = new RemoteCacheManager(builder.build());
    manager
        .administration()
        .createCache("large", new StringConfiguration("<local-cache statistics=\"true\"/>"));
    manager
        .administration()
        .createCache(
            "heap",
            new StringConfiguration("<local-cache><memory storage=\"HEAP\"/></local-cache>"));
  }

  @AfterAll
  static void stop() {
    manager.close();
    server.close();
  }

  @BeforeEach
  void emptyCache() {
    use("default");
  }

  private void use(String name) {
    cache = manager.getCache(name);
    cache.clear();
    streaming = cache.streaming();
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static void write(OutputStream out, byte[] bytes) throws IOException {
    try (out) {
      out.write(bytes);
    }
  }

  private byte[] read(String key) throws IOException {
    try (InputStream in = streaming.get(key)) {
      return read(in, 0);
    }
  }

  /**
   * The rest of a stream. Never requests more than the rest of a chunk: the client writes the next
   * chunk over the first.
   *
   * @param done the bytes that were read before
   */
  private static byte[] read(InputStream in, int done) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK];
    int position = done;
    while (true) {
      int length = in.read(chunk, 0, CHUNK - position % CHUNK);
      if (length < 0) {
        return all.toByteArray();
      }
      all.write(chunk, 0, length);
      position += length;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "large", "heap"})
  void values_ofAllSizes_comeBackTheSame(String name) throws IOException {
    use(name);
    for (int size : List.of(1, 8191, 8192, 8193, 100_000, 5_000_000, 15_000_000)) {
      byte[] value = bytes(size);
      write(streaming.put("k" + size), value);
      assertArrayEquals(value, read("k" + size));
    }
    assertEquals(7, cache.size());
    assertNull(streaming.get("absent"));
  }

  @Test
  void conditions_areFollowed() throws IOException {
    write(streaming.putIfAbsent("k"), bytes(10));
    write(streaming.putIfAbsent("k"), bytes(20));
    assertArrayEquals(bytes(10), read("k"));
    long version;
    try (InputStream in = streaming.get("k")) {
      version = ((VersionedMetadata) in).getVersion();
    }
    write(streaming.replaceWithVersion("k", version + 1), bytes(30));
    assertArrayEquals(bytes(10), read("k"));
    write(streaming.replaceWithVersion("k", version), bytes(40));
    assertArrayEquals(bytes(40), read("k"));
    write(streaming.replaceWithVersion("absent", version), bytes(50));
    assertNull(streaming.get("absent"));
  }

  @Test
  void times_areKept() throws IOException {
    write(streaming.put("k", 100, TimeUnit.SECONDS, 50, TimeUnit.SECONDS), bytes(9000));
    try (InputStream in = streaming.get("k")) {
      VersionedMetadata metadata = (VersionedMetadata) in;
      assertEquals(100, metadata.getLifespan());
      assertEquals(50, metadata.getMaxIdle());
      assertTrue(metadata.getCreated() > 0);
      assertNotEquals(0, metadata.getVersion());
    }
    write(streaming.put("gone", 1, TimeUnit.NANOSECONDS), bytes(9000));
    assertNull(streaming.get("gone"));
  }

  @Test
  void manyStreams_overOneConnection_areApart() throws IOException {
    List<OutputStream> outs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      outs.add(streaming.put("k" + i));
    }
    byte[] part = bytes(CHUNK);
    for (int round = 0; round < 30; round++) {
      for (int i = 0; i < outs.size(); i++) {
        part[0] = (byte) i;
        outs.get(i).write(part);
      }
    }
    List<InputStream> ins = new ArrayList<>();
    for (int i = 0; i < outs.size(); i++) {
      outs.get(i).close();
      ins.add(streaming.get("k" + i));
    }
    for (int round = 0; round < 30; round++) {
      for (int i = 0; i < ins.size(); i++) {
        part[0] = (byte) i;
        assertArrayEquals(part, ins.get(i).readNBytes(part.length));
      }
    }
    for (InputStream in : ins) {
      assertEquals(-1, in.read());
      in.close();
    }
  }

  @Test
  void value_thatIsOverwrittenWhileItIsRead_isNotMixed() throws IOException {
    use("large");
    byte[] first = bytes(6_000_000);
    write(streaming.put("k"), first);
    try (InputStream in = streaming.get("k")) {
      assertEquals(first[0], (byte) in.read());
      write(streaming.put("k"), bytes(5_000_000));
      byte[] rest = read(in, 1);
      assertEquals(first.length - 1, rest.length);
      for (int i = 0; i < rest.length; i++) {
        assertEquals(first[i + 1], rest[i]);
      }
    }
    assertArrayEquals(bytes(5_000_000), read("k"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"large", "default"})
  void value_ofManyMegabytes_isKeptByANodeThatIsAlone(String name) throws IOException {
    use(name);
    byte[] part = bytes(1 << 20);
    try (OutputStream out = streaming.put("k")) {
      for (int i = 0; i < 80; i++) {
        out.write(part);
      }
    }
    try (InputStream in = streaming.get("k")) {
      byte[] all = read(in, 0);
      assertEquals(80 * part.length, all.length);
      for (int i = 0; i < 80; i++) {
        int from = i * part.length;
        assertTrue(Arrays.equals(part, 0, part.length, all, from, from + part.length));
      }
    }
    assertEquals(1, cache.size());
    assertEquals(1, cache.keySet().size());
  }
}
