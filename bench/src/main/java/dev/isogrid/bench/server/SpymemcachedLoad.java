package dev.isogrid.bench.server;

import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.load.Operation;
import dev.isogrid.bench.run.RealTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.spy.memcached.CachedData;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.transcoders.Transcoder;
import org.jspecify.annotations.Nullable;

/** The client spymemcached, its one connection shared by threads that wait for their replies. */
final class SpymemcachedLoad implements Load {
  private static final int REPLY_SECONDS_MAX = 10;

  private final MemcachedClient client;
  private final Entries entries;
  private final Workers workers;
  private final String[] keys;

  SpymemcachedLoad(int port, Entries entries, int threads) throws IOException {
    System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SunLogger");
    this.client =
        new MemcachedClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    this.entries = entries;
    this.workers = new Workers(threads);
    this.keys = new String[entries.count()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = new String(entries.key(i), StandardCharsets.US_ASCII);
    }
  }

  @Override
  public long run(Operation operation, long endNanos) throws IOException, InterruptedException {
    return workers.run(thread -> {
      SplittableRandom random = new SplittableRandom(thread);
      long count = 0;
      while (count < REQUESTS_MAX && RealTime.nanos() - endNanos < 0) {
        request(operation.of(count), keys[random.nextInt(keys.length)]);
        count++;
      }
      return count;
    });
  }

  private void request(Operation operation, String key)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (operation == Operation.GET) {
      byte @Nullable [] value =
          client.asyncGet(key, Bytes.AS_THEY_ARE).get(REPLY_SECONDS_MAX, TimeUnit.SECONDS);
      if (value == null || value.length != entries.value().length) {
        throw new IllegalStateException("unexpected value: key=" + key);
      }
    } else if (!client
        .set(key, 0, entries.value(), Bytes.AS_THEY_ARE)
        .get(REPLY_SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IllegalStateException("not stored: key=" + key);
    }
  }

  @Override
  public void close() {
    workers.close();
    client.shutdown();
  }

  /** Values are bytes: nothing is marshalled or compressed. */
  private enum Bytes implements Transcoder<byte[]> {
    AS_THEY_ARE;

    @Override
    public boolean asyncDecode(CachedData data) {
      return false;
    }

    @Override
    public CachedData encode(byte[] value) {
      return new CachedData(0, value, getMaxSize());
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
}
