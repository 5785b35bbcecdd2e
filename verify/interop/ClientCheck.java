import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.CounterConfiguration;
import dev.isogrid.client.CounterEvent;
import dev.isogrid.client.EntryEvent;
import dev.isogrid.client.EntryListener;
import dev.isogrid.client.ListenerOptions;
import dev.isogrid.client.NearCacheConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.client.RemoteStrongCounter;
import dev.isogrid.client.SaslConfig;
import dev.isogrid.client.TlsConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Uses Isogrid's client as an application would, on any version of Java: {@code java -cp PATH
 * ClientCheck PORT CLASSES [CERTIFICATE USER PASSWORD]}. CLASSES is a file with the names of the
 * classes to load, one per line. With a certificate, the client connects by TLS.
 */
public final class ClientCheck {
  private static final int TIMEOUT_MILLIS = 30_000;

  private ClientCheck() {}

  public static void main(String[] arguments) throws Exception {
    int loaded = load(Path.of(arguments[1]));
    ClientConfig.Builder config =
        ClientConfig.builder()
            .addServer("127.0.0.1", Integer.parseInt(arguments[0]))
            .connectTimeoutMillis(TIMEOUT_MILLIS)
            .operationTimeoutMillis(TIMEOUT_MILLIS);
    if (arguments.length > 2) {
      config
          .tls(
              TlsConfig.DEFAULT
                  .withTrustStore(Path.of(arguments[2]), null)
                  .withServerName("grid.test"))
          .sasl(SaslConfig.password(arguments[3], arguments[4]));
    }
    try (RemoteCacheManager manager = new RemoteCacheManager(config.build())) {
      RemoteCache<String, String> cache = cache(manager);
      entries(cache);
      events(cache);
      counters(manager);
    }
    config.nearCache("default", NearCacheConfig.invalidated(10));
    try (RemoteCacheManager manager = new RemoteCacheManager(config.build())) {
      near(cache(manager));
    }
    config.nearCache("default", NearCacheConfig.DISABLED);
    try (RemoteCacheManager manager = new RemoteCacheManager(config.connectionPool().build())) {
      entries(cache(manager));
    }
    System.out.println("all good: java=" + Runtime.version().feature() + ", classes=" + loaded);
  }

  private static int load(Path names) throws Exception {
    int count = 0;
    for (String name : Files.readAllLines(names)) {
      Class.forName(name, false, ClientCheck.class.getClassLoader());
      count++;
    }
    return count;
  }

  private static RemoteCache<String, String> cache(RemoteCacheManager manager) {
    return Objects.requireNonNull(manager.getCache("default"));
  }

  private static void entries(RemoteCache<String, String> cache) {
    cache.clear();
    cache.put("k", "v");
    same("v", cache.get("k"));
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      many.put("k" + i, "v" + i);
    }
    cache.putAll(many);
    same(many, cache.getAll(many.keySet()));
    many.put("k", "v");
    same(many.keySet(), new HashSet<>(cache.keySet()));
    cache.remove("k");
    same(false, cache.containsKey("k"));
    same(100, cache.size());
  }

  private static void events(RemoteCache<String, String> cache) throws InterruptedException {
    BlockingQueue<EntryEvent<String, String>> heard = new LinkedBlockingQueue<>();
    cache.addClientListener(
        new EntryListener<String, String>() {
          @Override
          public void onCreated(EntryEvent<String, String> event) {
            heard.add(event);
          }
        },
        ListenerOptions.DEFAULT.withValues());
    cache.put("heard", "value");
    EntryEvent<String, String> event = next(heard);
    same("heard", event.key());
    same("value", event.value());
  }

  private static void counters(RemoteCacheManager manager) throws InterruptedException {
    manager.counters().defineCounter("java", CounterConfiguration.strong(5));
    RemoteStrongCounter counter = manager.counters().getStrongCounter("java");
    BlockingQueue<CounterEvent> heard = new LinkedBlockingQueue<>();
    counter.addListener(heard::add);
    same(6L, counter.sync().incrementAndGet());
    next(heard);
    counter.sync().remove();
  }

  private static void near(RemoteCache<String, String> cache) {
    cache.put("near", "1");
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    while (cache.clientStatistics().nearHits() == 0) {
      same("1", cache.get("near"));
      same(true, System.nanoTime() < deadline);
    }
    cache.put("near", "2");
    same("2", cache.get("near"));
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    return Objects.requireNonNull(next, "no event");
  }

  private static void same(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError("expected " + expected + ", but found " + found);
    }
  }
}
