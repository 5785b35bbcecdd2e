package dev.isogrid.client;

import dev.isogrid.api.Expiry;
import dev.isogrid.testkit.NullArguments;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class NullArgumentsTest {
  private static NullArguments calls() {
    return new NullArguments("close", "equals", "build", "end")
        .with(CounterConfiguration.class, CounterConfiguration.strong(0))
        .with(DataFormat.class, DataFormat.of(new ProtoStreamMarshaller()))
        .with(Duration.class, Duration.ofSeconds(1))
        .with(Expiry.class, Expiry.DEFAULT)
        .with(Instant.class, Instant.EPOCH)
        .with(ListenerOptions.class, ListenerOptions.DEFAULT)
        .with(NearCacheConfig.class, NearCacheConfig.invalidated(1))
        .with(Properties.class, new Properties())
        .with(RequestLimits.class, RequestLimits.DEFAULT)
        .with(StringConfiguration.class, new StringConfiguration("{}"));
  }

  @Test
  void allMethodsOfCaches_nameANullArgument() {
    NullArguments calls = calls();
    try (TestServer server = new TestServer();
        RemoteCacheManager manager = new RemoteCacheManager(server.client().build())) {
      RemoteCache<Object, Object> cache = Objects.requireNonNull(manager.getCache("default"));
      calls.check(RemoteCache.class, () -> cache);
      calls.check(StreamingRemoteCache.class, cache::streaming);
      calls.check(RemoteCacheManager.class, () -> manager);
      calls.check(RemoteCacheManagerAdmin.class, manager::administration);
      calls.check(RemoteCounterManager.class, manager::counters);
      calls.check(
          RemoteMultimapCacheManager.class, () -> new RemoteMultimapCacheManager<>(manager));
    }
    calls.assertAllNamed();
  }

  @Test
  void configurations_nameANullArgument() {
    NullArguments calls = calls();
    calls.check(ClientConfig.Builder.class, ClientConfig::builder);
    calls.check(ListenerOptions.class, () -> ListenerOptions.DEFAULT);
    calls.checkStatic(DataFormat.class);
    calls.checkStatic(SaslConfig.class);
    calls.assertAllNamed();
  }
}
