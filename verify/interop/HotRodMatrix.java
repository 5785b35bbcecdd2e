import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.infinispan.client.hotrod.Flag;
import org.infinispan.client.hotrod.MetadataValue;
import org.infinispan.client.hotrod.ProtocolVersion;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.util.CloseableIterator;

/**
 * Runs the official Hot Rod client for Java on the class path with some versions of its protocol:
 * {@code java -cp 'FOLDER/*' HotRodMatrix.java PORT MARSHALLER VERSION...}. The marshaller is
 * {@code default} or the name of a class, a version is 20 to 41 or {@code default}.
 */
public final class HotRodMatrix {
  private static final int ITERATION_SINCE = 23;
  private static final int STREAMING_SINCE = 26;

  /** The bytes that clients request at once. */
  private static final int CHUNK = 8192;

  private static int checks;

  private HotRodMatrix() {}

  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    for (int i = 2; i < arguments.length; i++) {
      run(port, arguments[1], arguments[i]);
    }
    System.out.println("all good: checks=" + checks);
  }

  private static void run(int port, String marshaller, String version) throws Exception {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(port);
    builder.socketTimeout(30_000);
    builder.connectionTimeout(30_000);
    if (!version.equals("default")) {
      builder.version(ProtocolVersion.valueOf("PROTOCOL_VERSION_" + version));
    }
    if (!marshaller.equals("default")) {
      builder.marshaller(marshaller);
    }
    int number = version.equals("default") ? Integer.MAX_VALUE : Integer.parseInt(version);
    try (RemoteCacheManager manager = new RemoteCacheManager(builder.build())) {
      RemoteCache<String, String> cache = manager.getCache("default");
      single(cache);
      conditional(cache);
      bulk(cache, number);
      if (number >= STREAMING_SINCE) {
        streamed(manager);
      }
    } catch (Exception | AssertionError failure) {
      throw new AssertionError("version=" + version + ", marshaller=" + marshaller, failure);
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
    checks++;
  }

  private static void equal(Object expected, Object actual) {
    check(
        expected == null ? actual == null : expected.equals(actual),
        "expected " + expected + ", got " + actual);
  }

  private static void single(RemoteCache<String, String> cache) {
    cache.clear();
    equal(null, cache.get("k"));
    cache.put("k", "value €");
    equal("value €", cache.get("k"));
    check(cache.containsKey("k"), "containsKey");
    check(!cache.containsKey("absent"), "containsKey of what is absent");
    RemoteCache<String, String> previous = cache.withFlags(Flag.FORCE_RETURN_VALUE);
    equal("value €", previous.put("k", "2"));
    equal(null, previous.put("new", "1"));
    cache.put("mortal", "v", 100, TimeUnit.SECONDS, 50, TimeUnit.SECONDS);
    MetadataValue<String> metadata = cache.getWithMetadata("mortal");
    equal(100, metadata.getLifespan());
    equal(50, metadata.getMaxIdle());
    equal("v", metadata.getValue());
    equal("1", cache.withFlags(Flag.FORCE_RETURN_VALUE).remove("new"));
    equal(null, cache.withFlags(Flag.FORCE_RETURN_VALUE).remove("new"));
    StringBuilder large = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      large.append("0123456789");
    }
    cache.put("large", large.toString());
    equal(large.toString(), cache.get("large"));
  }

  private static void conditional(RemoteCache<String, String> cache) {
    RemoteCache<String, String> previous = cache.withFlags(Flag.FORCE_RETURN_VALUE);
    cache.clear();
    equal(null, previous.putIfAbsent("k", "1"));
    equal("1", cache.withFlags(Flag.FORCE_RETURN_VALUE).putIfAbsent("k", "2"));
    equal("1", cache.withFlags(Flag.FORCE_RETURN_VALUE).replace("k", "3"));
    equal(null, cache.withFlags(Flag.FORCE_RETURN_VALUE).replace("absent", "3"));
    long version = cache.getWithMetadata("k").getVersion();
    check(cache.replaceWithVersion("k", "4", version), "replaceWithVersion");
    check(!cache.replaceWithVersion("k", "5", version), "replaceWithVersion of an old one");
    check(!cache.removeWithVersion("k", version), "removeWithVersion of an old one");
    version = cache.getWithMetadata("k").getVersion();
    check(cache.removeWithVersion("k", version), "removeWithVersion");
    equal(null, cache.get("k"));
  }

  private static void bulk(RemoteCache<String, String> cache, int version) {
    cache.clear();
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      entries.put("key" + i, "value" + i);
    }
    cache.putAll(entries);
    equal(300, cache.size());
    Set<String> keys = new HashSet<>(Arrays.asList("key1", "key2", "key299"));
    Map<String, String> some = cache.getAll(keys);
    equal(keys, some.keySet());
    equal("value299", some.get("key299"));
    if (version >= ITERATION_SINCE) {
      Map<Object, Object> seen = new HashMap<>();
      try (CloseableIterator<Map.Entry<Object, Object>> walk = cache.retrieveEntries(null, 50)) {
        while (walk.hasNext()) {
          Map.Entry<Object, Object> entry = walk.next();
          equal(null, seen.put(entry.getKey(), entry.getValue()));
        }
      }
      equal(entries, seen);
      equal(entries.keySet(), new HashSet<>(cache.keySet()));
    }
    int stores = cache.serverStatistics().getIntStatistic("stores");
    cache.put("one", "more");
    equal(stores + 1, (int) cache.serverStatistics().getIntStatistic("stores"));
  }

  private static void streamed(RemoteCacheManager manager) throws Exception {
    RemoteCache<String, byte[]> cache = manager.getCache("default");
    byte[] value = new byte[300_000];
    new Random(1).nextBytes(value);
    try (OutputStream out = cache.streaming().put("streamed")) {
      out.write(value);
    }
    byte[] read = new byte[value.length];
    try (InputStream in = cache.streaming().get("streamed")) {
      int length = 0;
      while (length < read.length) {
        // not beyond a chunk: some clients write the next chunk over the first
        int wanted = Math.min(read.length - length, CHUNK - length % CHUNK);
        int more = in.read(read, length, wanted);
        check(more >= 0, "stream ends at " + length);
        length += more;
      }
      equal(-1, in.read());
    }
    check(Arrays.equals(value, read), "streamed value");
    try (OutputStream out = cache.streaming().putIfAbsent("streamed")) {
      out.write(1);
    }
    // the last chunk: 9.4 closes the connection of a stream that was not read to its end, and may
    // use it once more meanwhile
    try (InputStream in = cache.streaming().get("streamed")) {
      equal(value[0], (byte) in.read());
    }
  }
}
