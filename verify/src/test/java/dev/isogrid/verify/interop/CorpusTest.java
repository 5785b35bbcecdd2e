package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import net.spy.memcached.CachedData;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.transcoders.Transcoder;
import org.infinispan.client.hotrod.DataFormat;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.dataconversion.MediaType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every file of the JDK's source archive, written through one protocol and read back, by digest,
 * through the other two; each protocol writes a third of the files.
 */
@Tag("interop")
@Tag("deep")
class CorpusTest {
  /** The least bytes: less shows nothing about real input. */
  private static final long CORPUS_BYTES_MIN = 100_000_000;

  /** A way to the cache. */
  private interface Door {
    void write(String key, byte[] value) throws Exception;

    byte[] read(String key) throws Exception;
  }

  @Test
  void everyFile_writtenByOneProtocol_isReadByTheOthers() throws Exception {
    try (ServerProcess server = ServerProcess.start();
        RemoteCacheManager hotRod = hotRodClient(server.port());
        HttpClient http = HttpClient.newHttpClient()) {
      MemcachedClient memcached = memcachedClient(server.memcachedPort());
      try {
        List<Door> doors =
            List.of(
                hotRodDoor(hotRod),
                memcachedDoor(memcached),
                restDoor(
                    http,
                    "http://127.0.0.1:%d/rest/v2/caches/memcachedCache/".formatted(server.port())));
        Map<String, String> digests = writeCorpus(doors);
        int at = 0;
        for (Map.Entry<String, String> file : digests.entrySet()) {
          for (int other = 1; other <= 2; other++) {
            byte[] read = doors.get((at + other) % 3).read(file.getKey());
            assertEquals(file.getValue(), digest(read), file.getKey());
          }
          at++;
        }
        assertEquals(digests.size(), hotRod.getCache("memcachedCache").size());
      } finally {
        memcached.shutdown();
      }
    }
  }

  /** Writes the files in turn through each door; returns the digests in the order of the files. */
  private static Map<String, String> writeCorpus(List<Door> doors) throws Exception {
    Map<String, String> digests = new LinkedHashMap<>();
    long bytes = 0;
    Path archive = Path.of(System.getProperty("java.home"), "lib", "src.zip");
    assertTrue(Files.exists(archive), "the JDK has no lib/src.zip; install its source archive");
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (!entry.isDirectory()) {
          byte[] content = zip.readAllBytes();
          doors.get(digests.size() % 3).write(entry.getName(), content);
          digests.put(entry.getName(), digest(content));
          bytes += content.length;
        }
      }
    }
    assertTrue(bytes > CORPUS_BYTES_MIN, "corpus too small: bytes=" + bytes);
    return digests;
  }

  private static String digest(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static RemoteCacheManager hotRodClient(int port) {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(port);
    return new RemoteCacheManager(builder.build());
  }

  private static Door hotRodDoor(RemoteCacheManager manager) {
    RemoteCache<String, byte[]> cache =
        manager
            .<String, byte[]>getCache("memcachedCache")
            .withDataFormat(
                DataFormat.builder()
                    .keyType(MediaType.TEXT_PLAIN)
                    .valueType(MediaType.APPLICATION_OCTET_STREAM)
                    .build());
    return new Door() {
      @Override
      public void write(String key, byte[] value) {
        cache.put(key, value);
      }

      @Override
      public byte[] read(String key) {
        byte[] value = cache.get(key);
        return value == null ? new byte[0] : value; // how that client shows an empty value
      }
    };
  }

  /** Unchanged bytes: the client's own transcoder would compress values above 16 kB. */
  private static final class RawBytes implements Transcoder<byte[]> {
    @Override
    public boolean asyncDecode(CachedData data) {
      return false;
    }

    @Override
    public CachedData encode(byte[] bytes) {
      return new CachedData(0, bytes, getMaxSize());
    }

    @Override
    public byte[] decode(CachedData data) {
      return data.getData();
    }

    @Override
    public int getMaxSize() {
      return CachedData.MAX_SIZE;
    }
  }

  private static MemcachedClient memcachedClient(int port) throws IOException {
    return new MemcachedClient(
        new ConnectionFactoryBuilder().setOpTimeout(TimeUnit.SECONDS.toMillis(20)).build(),
        List.of(new InetSocketAddress("127.0.0.1", port)));
  }

  private static Door memcachedDoor(MemcachedClient client) {
    RawBytes raw = new RawBytes();
    return new Door() {
      @Override
      public void write(String key, byte[] value) throws Exception {
        assertTrue(client.set(key, 0, value, raw).get(), key);
      }

      @Override
      public byte[] read(String key) {
        return client.get(key, raw);
      }
    };
  }

  private static Door restDoor(HttpClient client, String base) {
    return new Door() {
      private HttpRequest.Builder request(String key) {
        String encoded = URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
        return HttpRequest.newBuilder(URI.create(base + encoded));
      }

      @Override
      public void write(String key, byte[] value) throws Exception {
        HttpResponse<String> response =
            client.send(
                request(key).PUT(HttpRequest.BodyPublishers.ofByteArray(value)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(204, response.statusCode(), () -> key + ": " + response.body());
      }

      @Override
      public byte[] read(String key) throws Exception {
        HttpResponse<byte[]> response =
            client.send(request(key).build(), HttpResponse.BodyHandlers.ofByteArray());
        assertEquals(200, response.statusCode(), key);
        return response.body();
      }
    };
  }
}
