package dev.isogrid.bench.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.marshall.IdentityMarshaller;
import org.jspecify.annotations.Nullable;

/** Infinispan's client, of whichever version is on the class path, with its usual settings. */
final class InfinispanMap implements RemoteMap {
  private final RemoteCacheManager manager;
  private final RemoteCache<byte[], byte[]> cache;

  /**
   * Bytes without any marshalling. The client's own marshaller of this kind takes values out of the
   * socket's buffer by {@link InputStream#transferTo}, through another array of 16 KiB for each
   * value.
   */
  private static final class ExactBytes extends IdentityMarshaller {
    @Override
    public Object objectFromInputStream(InputStream in) throws IOException {
      return in.readNBytes(in.available());
    }
  }

  InfinispanMap(List<Integer> ports, String name) {
    ConfigurationBuilder config = new ConfigurationBuilder();
    ports.forEach(port -> config.addServer().host("127.0.0.1").port(port));
    config.socketTimeout(ANSWER_MILLIS_MAX);
    config.marshaller(new ExactBytes());
    this.manager = new RemoteCacheManager(config.build());
    this.cache = manager.getCache(name);
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
