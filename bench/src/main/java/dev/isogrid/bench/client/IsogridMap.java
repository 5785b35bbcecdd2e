package dev.isogrid.bench.client;

import dev.isogrid.client.BytesMarshaller;
import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** This product's client. */
final class IsogridMap implements RemoteMap {
  private final RemoteCacheManager manager;
  private final RemoteCache<byte[], byte[]> cache;

  IsogridMap(List<Integer> ports, String name) {
    ClientConfig.Builder config = ClientConfig.builder().marshaller(new BytesMarshaller());
    config.operationTimeoutMillis(ANSWER_MILLIS_MAX);
    ports.forEach(port -> config.addServer("127.0.0.1", port));
    this.manager = new RemoteCacheManager(config.build());
    this.cache = Objects.requireNonNull(manager.getCache(name), "no cache of that name");
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return cache.get(key);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    cache.put(key, value);
  }

  @Override
  public void remove(byte[] key) {
    cache.remove(key);
  }

  @Override
  public CompletionStage<?> getAsync(byte[] key) {
    return cache.getAsync(key);
  }

  @Override
  public CompletionStage<?> putAsync(byte[] key, byte[] value) {
    return cache.putAsync(key, value);
  }

  @Override
  public CompletionStage<?> removeAsync(byte[] key) {
    return cache.removeAsync(key);
  }

  @Override
  public void close() {
    manager.close();
  }
}
