package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheEventConverterFactory;
import dev.isogrid.api.CacheEventFilterConverterFactory;
import dev.isogrid.api.CacheEventFilterFactory;
import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.EntryEvent;
import dev.isogrid.client.EntryListener;
import dev.isogrid.client.ListenerOptions;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryCreated;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryModified;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryRemoved;
import org.infinispan.client.hotrod.annotation.ClientListener;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.event.ClientCacheEntryCreatedEvent;
import org.infinispan.client.hotrod.event.ClientCacheEntryCustomEvent;
import org.infinispan.client.hotrod.event.ClientCacheEntryModifiedEvent;
import org.infinispan.client.hotrod.event.ClientCacheEntryRemovedEvent;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.commons.GlobalContextInitializer;
import org.infinispan.commons.util.KeyValueWithPrevious;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Filters and converters of listeners that are only in a jar of two servers, requested by the
 * official client and by Isogrid's own; half of the changes come from the other server.
 */
@Tag("interop")
@Tag("deep")
class DeployedListenerTest {
  private static final String FILTERS =
      """
      package deployed;

      import dev.isogrid.api.CacheEventFilter;
      import dev.isogrid.api.CacheEventFilterFactory;
      import java.util.List;

      public final class Filters implements CacheEventFilterFactory {
        @Override
        public String name() {
          return "at-least";
        }

        @Override
        public CacheEventFilter<String, Integer> newFilter(List<Object> parameters) {
          int least = (Integer) parameters.get(0);
          return event -> event.value() == null || event.value() >= least;
        }
      }
      """;

  private static final String CONVERTERS =
      """
      package deployed;

      import dev.isogrid.api.CacheEventConverter;
      import dev.isogrid.api.CacheEventConverterFactory;
      import java.util.List;

      public final class Converters implements CacheEventConverterFactory {
        @Override
        public String name() {
          return "difference";
        }

        @Override
        public CacheEventConverter<String, Integer> newConverter(List<Object> parameters) {
          return event -> event.key() + " "
              + ((event.value() == null ? 0 : event.value())
                  - (event.oldValue() == null ? 0 : event.oldValue()));
        }
      }
      """;

  private static final String RAW =
      """
      package deployed;

      import dev.isogrid.api.CacheEventFilterConverter;
      import dev.isogrid.api.CacheEventFilterConverterFactory;
      import java.util.List;

      public final class Raw implements CacheEventFilterConverterFactory {
        @Override
        public String name() {
          return "raw-values";
        }

        @Override
        public CacheEventFilterConverter<byte[], byte[]> newFilterConverter(
            List<Object> parameters) {
          return event -> event.value();
        }
      }
      """;

  private static final List<ServerProcess> SERVERS = new ArrayList<>();

  @TempDir private static Path folder;
  private static RemoteCacheManager manager;
  private RemoteCache<String, Integer> cache;

  @BeforeAll
  static void start() throws IOException {
    Path tasks =
        TaskJar.deploy(
            folder,
            Map.of("Filters", FILTERS, "Converters", CONVERTERS, "Raw", RAW),
            Map.of(
                CacheEventFilterFactory.class, List.of("Filters"),
                CacheEventConverterFactory.class, List.of("Converters"),
                CacheEventFilterConverterFactory.class, List.of("Raw")));
    List<Integer> ports = FreePorts.several(2);
    String first = Integer.toString(ports.get(0));
    String second = Integer.toString(ports.get(1));
    startServer(tasks, "a", "--cluster-port", first);
    startServer(tasks, "b", "--cluster-port", second, "--join", "127.0.0.1:" + first);
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(SERVERS.getFirst().port());
    builder.clientIntelligence(ClientIntelligence.BASIC);
    builder.addContextInitializer(GlobalContextInitializer.INSTANCE);
    manager = new RemoteCacheManager(builder.build());
  }

  private static void startServer(Path tasks, String name, String... options) {
    List<String> all = new ArrayList<>(List.of("--cluster", "listeners", "--node-name", name));
    all.addAll(List.of("--tasks", tasks.toString()));
    all.addAll(List.of(options));
    SERVERS.add(ServerProcess.start(all.toArray(String[]::new)));
  }

  @AfterAll
  static void stop() {
    manager.close();
    SERVERS.forEach(ServerProcess::close);
  }

  @BeforeEach
  void emptyCache() {
    cache = manager.getCache("default");
    cache.clear();
  }

  /** Receives the events of some keys. */
  @ClientListener(filterFactoryName = "at-least", includeCurrentState = true)
  public static final class Filtered {
    final List<String> events = new CopyOnWriteArrayList<>();

    @ClientCacheEntryCreated
    public void created(ClientCacheEntryCreatedEvent<String> event) {
      events.add("created " + event.getKey());
    }

    @ClientCacheEntryModified
    public void modified(ClientCacheEntryModifiedEvent<String> event) {
      events.add("modified " + event.getKey());
    }

    @ClientCacheEntryRemoved
    public void removed(ClientCacheEntryRemovedEvent<String> event) {
      events.add("removed " + event.getKey());
    }
  }

  @Test
  void filter_isAskedAboutStateAndChangesOfBothServers() {
    for (int i = 0; i < 20; i++) {
      cache.put("old" + i, i);
    }
    Filtered filtered = new Filtered();
    cache.addClientListener(filtered, new Object[] {10}, null);
    for (int i = 0; i < 20; i++) {
      cache.put("new" + i, i);
    }
    cache.put("new0", 10);
    cache.remove("new0");
    Await.until("the last event", () -> filtered.events.contains("removed new0"));
    TreeSet<String> expected = new TreeSet<>(List.of("modified new0", "removed new0"));
    for (int i = 10; i < 20; i++) {
      expected.add("created old" + i);
      expected.add("created new" + i);
    }
    Await.until("all events", () -> filtered.events.size() >= expected.size());
    assertEquals(expected, new TreeSet<>(filtered.events));
    cache.removeClientListener(filtered);
  }

  /** Receives the results of a converter. */
  @ClientListener(converterFactoryName = "difference")
  public static class Converted {
    final List<Object> events = new CopyOnWriteArrayList<>();

    @ClientCacheEntryCreated
    @ClientCacheEntryModified
    @ClientCacheEntryRemoved
    public void changed(ClientCacheEntryCustomEvent<?> event) {
      events.add(event.getEventData());
    }
  }

  private static void awaitEvents(Converted heard, List<?> expected) {
    Await.until("events " + expected, () -> heard.events.size() >= expected.size());
    assertEquals(expected, heard.events);
  }

  @Test
  void converter_seesTheValueBefore() {
    Converted converted = new Converted();
    cache.addClientListener(converted);
    for (String key : List.of("a", "b", "c", "d")) {
      cache.put(key, 5);
      cache.put(key, 12);
      cache.remove(key);
      awaitEvents(converted, List.of(key + " 5", key + " 7", key + " -12"));
      converted.events.clear();
    }
    cache.removeClientListener(converted);
  }

  /** Receives the stored bytes. */
  @ClientListener(
      filterFactoryName = "raw-values",
      converterFactoryName = "raw-values",
      useRawData = true)
  public static final class Raw {
    final List<byte[]> events = new CopyOnWriteArrayList<>();

    @ClientCacheEntryCreated
    @ClientCacheEntryRemoved
    public void changed(ClientCacheEntryCustomEvent<byte[]> event) {
      events.add(event.getEventData());
    }
  }

  @Test
  void rawData_areTheBytesThatAreKept() {
    RemoteCache<String, String> texts = manager.getCache("default");
    Raw raw = new Raw();
    texts.addClientListener(raw);
    texts.put("a", "some text");
    texts.remove("a");
    texts.put("b", "more");
    Await.until("two events", () -> raw.events.size() == 2);
    String first = new String(raw.events.getFirst(), StandardCharsets.UTF_8);
    assertTrue(first.endsWith("some text") && first.length() > "some text".length(), first);
    texts.removeClientListener(raw);
  }

  /** Receives both values. */
  @ClientListener(converterFactoryName = "key-value-with-previous-converter-factory")
  public static final class WithPrevious extends Converted {}

  @Test
  void converterWithPrevious_givesTheClassOfInfinispan() {
    WithPrevious heard = new WithPrevious();
    cache.addClientListener(heard);
    cache.put("k", 1);
    cache.put("k", 2);
    cache.remove("k");
    awaitEvents(
        heard,
        List.of(
            new KeyValueWithPrevious<>("k", 1, null),
            new KeyValueWithPrevious<>("k", 2, 1),
            new KeyValueWithPrevious<>("k", null, 2)));
    cache.removeClientListener(heard);
  }

  /** Names a converter that does not exist. */
  @ClientListener(converterFactoryName = "at-least")
  public static final class Unknown extends Converted {}

  @Test
  void unknownConverter_isRefusedInTheWordsOfInfinispan() {
    HotRodClientException refused =
        assertThrows(HotRodClientException.class, () -> cache.addClientListener(new Unknown()));
    String message = String.valueOf(refused.getMessage());
    assertTrue(
        message.contains("Listener converter factory 'at-least' not found in server"), message);
  }

  @Test
  void ownClient_hasTheSame() {
    ClientConfig config =
        ClientConfig.builder().addServer("127.0.0.1", SERVERS.get(1).port()).build();
    List<String> heard = new CopyOnWriteArrayList<>();
    try (var own = new dev.isogrid.client.RemoteCacheManager(config)) {
      dev.isogrid.client.RemoteCache<String, Integer> same =
          Objects.requireNonNull(own.getCache("default"));
      EntryListener<String, Integer> listener =
          new EntryListener<>() {
            @Override
            public void onCreated(EntryEvent<String, Integer> event) {
              heard.add(String.valueOf(event.payload()));
            }
          };
      ListenerOptions options =
          ListenerOptions.DEFAULT.withFilter("at-least", 3).withConverter("difference");
      try (var _ = same.addListener(listener, options)) {
        for (int i = 0; i < 6; i++) {
          cache.put("k" + i, i);
        }
        Await.until("events", () -> heard.size() >= 3);
        assertEquals(new TreeSet<>(List.of("k3 3", "k4 4", "k5 5")), new TreeSet<>(heard));
      }
    }
  }
}
