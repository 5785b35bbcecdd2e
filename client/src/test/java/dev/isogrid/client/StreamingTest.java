package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Values in portions, against a real server. */
class StreamingTest {
  private static final int PORTION = 100;

  /** More than a server lets one connection have open. */
  private static final int MANY = 300;

  private static TestServer server;

  private RemoteCacheManager manager;
  private RemoteCache<byte[], byte[]> cache;
  private StreamingRemoteCache<byte[]> streaming;

  @BeforeAll
  static void startServer() {
    server = new TestServer();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void connect() {
    manager = new RemoteCacheManager(server.client().marshaller(new BytesMarshaller()).build());
    cache = Objects.requireNonNull(manager.getCache("default"));
    cache.clear();
    streaming = cache.streaming(PORTION);
  }

  @AfterEach
  void disconnect() {
    manager.close();
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) number, (byte) (number >> 8)};
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static boolean write(ValueOutputStream to, byte[] bytes) throws IOException {
    try (to) {
      to.write(bytes);
    }
    return to.isStored();
  }

  private byte[] read(byte[] key) throws IOException {
    try (ValueInputStream in = Objects.requireNonNull(streaming.get(key))) {
      return in.readAllBytes();
    }
  }

  @Test
  void values_ofAllSizes_comeBackTheSame() throws IOException {
    assertNull(streaming.get(key(1)));
    for (int size : new int[] {0, 1, 99, 100, 101, 200, 201, 400, 1001, 50_000}) {
      assertTrue(write(streaming.put(key(1)), bytes(size)));
      assertArrayEquals(bytes(size), read(key(1)));
      assertArrayEquals(bytes(size), cache.get(key(1)));
    }
    assertEquals(1, cache.size());
  }

  @Test
  void bytes_oneByOne_comeBackTheSame() throws IOException {
    byte[] value = bytes(1001);
    try (ValueOutputStream out = streaming.put(key(1))) {
      for (byte b : value) {
        out.write(b);
      }
    }
    try (ValueInputStream in = Objects.requireNonNull(streaming.get(key(1)))) {
      for (byte b : value) {
        assertEquals(b & 0xFF, in.read());
      }
      assertEquals(-1, in.read());
    }
  }

  @Test
  void conditions_areFollowed() throws IOException {
    for (int size : new int[] {10, 1000}) {
      cache.clear();
      assertTrue(write(streaming.putIfAbsent(key(1)), bytes(size)));
      assertFalse(write(streaming.putIfAbsent(key(1)), bytes(size + 1)));
      long version;
      try (ValueInputStream in = Objects.requireNonNull(streaming.get(key(1)))) {
        version = in.version();
      }
      assertEquals(version, Objects.requireNonNull(cache.getWithMetadata(key(1))).version());
      assertFalse(write(streaming.replaceWithVersion(key(1), version + 1), bytes(size + 2)));
      assertFalse(write(streaming.replaceWithVersion(key(2), version), bytes(size + 2)));
      assertArrayEquals(bytes(size), read(key(1)));
      assertTrue(write(streaming.replaceWithVersion(key(1), version), bytes(size + 3)));
      assertArrayEquals(bytes(size + 3), read(key(1)));
      assertNull(cache.get(key(2)));
    }
    assertThrows(IllegalArgumentException.class, () -> streaming.replaceWithVersion(key(1), 0L));
  }

  @Test
  void times_areKept() throws IOException {
    for (int size : new int[] {10, 1000}) {
      write(streaming.put(key(1), 100, TimeUnit.SECONDS, 50, TimeUnit.SECONDS), bytes(size));
      try (ValueInputStream in = Objects.requireNonNull(streaming.get(key(1)))) {
        assertEquals(100, in.lifespanSeconds());
        assertEquals(50, in.maxIdleSeconds());
        assertTrue(in.createdMillis() > 0);
        assertTrue(in.lastUsedMillis() > 0);
      }
      write(streaming.putIfAbsent(key(2), 7, TimeUnit.MINUTES), bytes(size));
      assertEquals(420, Objects.requireNonNull(cache.getWithMetadata(key(2))).lifespanSeconds());
      cache.clear();
    }
  }

  private void checkTimes(long lifespanSeconds, long maxIdleSeconds) {
    MetadataValue<byte[]> found = Objects.requireNonNull(cache.getWithMetadata(key(1)));
    assertEquals(lifespanSeconds, found.lifespanSeconds());
    assertEquals(maxIdleSeconds, found.maxIdleSeconds());
  }

  private long version() {
    return Objects.requireNonNull(cache.getWithMetadata(key(1))).version();
  }

  @Test
  void durations_areKept() throws IOException {
    Duration second = Duration.ofSeconds(1);
    Duration minute = Duration.ofMinutes(1);
    write(streaming.putIfAbsent(key(1), minute, second), bytes(10));
    checkTimes(60, 1);
    write(streaming.put(key(1), second.multipliedBy(9), second), bytes(10));
    checkTimes(9, 1);
    write(streaming.replaceWithVersion(key(1), version(), minute, second), bytes(10));
    checkTimes(60, 1);
    Parts parts = new Parts(bytes(10), 4, null);
    assertTrue(streaming.putAsync(key(1), parts, minute.multipliedBy(2), second).join());
    checkTimes(120, 1);
    assertTrue(streaming.replaceWithVersionAsync(key(1), parts, version(), minute).join());
    checkTimes(60, -1);
    cache.clear();
    assertTrue(streaming.putIfAbsentAsync(key(1), parts, second.multipliedBy(5)).join());
    checkTimes(5, -1);
  }

  @Test
  @DisabledIfSystemProperty(named = TestServer.EXTERNAL, matches = ".*") // others may keep it
  void value_whoseTimeIsOverAtOnce_isNotThere() throws IOException {
    for (int size : new int[] {10, 1000}) {
      write(streaming.put(key(1), new Expiry(0, Expiry.UNLIMITED)), bytes(size));
      assertNull(streaming.get(key(1)));
    }
  }

  @Test
  void manyStreams_overOneConnection_areApart() throws IOException {
    List<ValueOutputStream> outs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      outs.add(streaming.put(key(i)));
    }
    for (int round = 0; round < 30; round++) {
      for (int i = 0; i < 20; i++) {
        outs.get(i).write(bytes(PORTION + i));
      }
    }
    List<ValueInputStream> ins = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      outs.get(i).close();
      ins.add(Objects.requireNonNull(streaming.get(key(i))));
    }
    for (int round = 0; round < 30; round++) {
      for (int i = 0; i < 20; i++) {
        assertArrayEquals(bytes(PORTION + i), ins.get(i).readNBytes(PORTION + i));
      }
    }
    for (ValueInputStream in : ins) {
      assertEquals(-1, in.read());
      in.close();
      assertThrows(IOException.class, in::read);
    }
    assertEquals(1, manager.servers().size());
  }

  @Test
  void streams_thatAreGivenUp_leaveNothingBehind() throws IOException {
    cache.put(key(1), bytes(1000));
    for (int i = 0; i < MANY; i++) {
      ValueOutputStream out = streaming.put(key(1));
      out.write(bytes(2 * PORTION));
      out.write(1);
      out.abort();
      out.close();
      assertThrows(IllegalStateException.class, out::isStored);
      assertThrows(IOException.class, () -> out.write(1));
      Objects.requireNonNull(streaming.get(key(1))).close();
      Objects.requireNonNull(streaming.getAsync(key(1)).join()).close();
    }
    assertArrayEquals(bytes(1000), cache.get(key(1)));
  }

  @Test
  void value_thatIsOverwrittenWhileItIsRead_isNotMixed() throws IOException {
    write(streaming.put(key(1)), bytes(10_000));
    try (ValueInputStream in = Objects.requireNonNull(streaming.get(key(1)))) {
      assertEquals(bytes(10_000)[0] & 0xFF, in.read());
      write(streaming.put(key(1)), bytes(9_000));
      byte[] rest = in.readAllBytes();
      assertEquals(9_999, rest.length);
      assertEquals(bytes(10_000)[9_999], rest[9_998]);
    }
  }

  @Test
  void value_ofManyMegabytes_needsAFewPortions() throws IOException {
    StreamingRemoteCache<byte[]> large = cache.streaming();
    byte[] part = bytes(1 << 20);
    try (ValueOutputStream out = large.put(key(1))) {
      for (int i = 0; i < 64; i++) {
        part[0] = (byte) i;
        out.write(part);
      }
    }
    try (ValueInputStream in = Objects.requireNonNull(large.get(key(1)))) {
      for (int i = 0; i < 64; i++) {
        part[0] = (byte) i;
        assertArrayEquals(part, in.readNBytes(part.length));
      }
      assertEquals(-1, in.read());
    }
    cache.clear();
  }

  private static void streamFrom(TestServer other, RemoteCacheManager client) throws IOException {
    StreamingRemoteCache<byte[]> lost =
        Objects.requireNonNull(client.<byte[], byte[]>getCache("default")).streaming(PORTION);
    write(lost.put(key(1)), bytes(1000));
    ValueInputStream in = Objects.requireNonNull(lost.get(key(1)));
    ValueOutputStream out = lost.put(key(2));
    out.write(bytes(1000));
    other.close();
    IOException unread = assertThrows(IOException.class, in::readAllBytes);
    assertInstanceOf(HotRodClientException.class, unread.getCause());
    IOException unwritten = assertThrows(IOException.class, out::close);
    assertInstanceOf(HotRodClientException.class, unwritten.getCause());
    in.close();
    out.close();
    assertThrows(IllegalStateException.class, out::isStored);
  }

  @Test
  @DisabledIfSystemProperty(named = TestServer.EXTERNAL, matches = ".*") // stops it
  void streams_whoseConnectionIsLost_failAndSayWhy() throws IOException {
    TestServer other = new TestServer();
    ClientConfig.Builder config = other.client().operationTimeoutMillis(5_000);
    try (RemoteCacheManager client =
        new RemoteCacheManager(config.marshaller(new BytesMarshaller()).build())) {
      streamFrom(other, client);
    } finally {
      other.close();
    }
  }

  /** Collects what comes, asking for one buffer at a time. */
  private static final class Collector extends CompletableFuture<byte[]>
      implements Flow.Subscriber<ByteBuffer> {
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(1);
    }

    @Override
    public void onNext(ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      all.writeBytes(copy);
      Objects.requireNonNull(subscription).request(1);
    }

    @Override
    public void onError(Throwable cause) {
      completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
      complete(all.toByteArray());
    }
  }

  private byte[] collected(byte[] key) {
    Collector collector = new Collector();
    Objects.requireNonNull(streaming.getAsync(key).join()).subscribe(collector);
    return collector.join();
  }

  /** Gives parts of a value when it is asked to, then ends, or fails. */
  private static final class Parts implements Flow.Publisher<ByteBuffer> {
    private final byte[] value;
    private final int partSize;
    private final @Nullable RuntimeException failure;
    private volatile boolean isCancelled;

    Parts(byte[] value, int partSize, @Nullable RuntimeException failure) {
      this.value = value;
      this.partSize = partSize;
      this.failure = failure;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
      subscriber.onSubscribe(
          new Flow.Subscription() {
            private int position;

            @Override
            public void request(long count) {
              if (position < value.length) {
                int length = Math.min(partSize, value.length - position);
                ByteBuffer part = ByteBuffer.wrap(value, position, length);
                position += length;
                subscriber.onNext(part);
              } else if (failure == null) {
                subscriber.onComplete();
              } else {
                subscriber.onError(failure);
              }
            }

            @Override
            public void cancel() {
              isCancelled = true;
            }
          });
    }
  }

  @Test
  void publishers_giveAndTakeValues() {
    assertNull(streaming.getAsync(key(1)).join());
    for (int size : new int[] {0, 1, 100, 101, 5_000}) {
      for (int part : new int[] {30, 100, 777}) {
        assertTrue(streaming.putAsync(key(1), new Parts(bytes(size), part, null)).join());
        assertArrayEquals(bytes(size), cache.get(key(1)));
        assertArrayEquals(bytes(size), collected(key(1)));
      }
    }
    assertFalse(streaming.putIfAbsentAsync(key(1), new Parts(bytes(500), 100, null)).join());
    MetadataValue<byte[]> found = Objects.requireNonNull(cache.getWithMetadata(key(1)));
    Parts other = new Parts(bytes(500), 100, null);
    assertTrue(streaming.replaceWithVersionAsync(key(1), other, found.version()).join());
    assertFalse(streaming.replaceWithVersionAsync(key(1), other, found.version()).join());
  }

  @Test
  void value_ofAPublisher_canBeWrittenToAnotherKey() {
    cache.put(key(1), bytes(50_000));
    ValuePublisher from = Objects.requireNonNull(streaming.getAsync(key(1)).join());
    assertTrue(streaming.putAsync(key(2), from).join());
    assertArrayEquals(bytes(50_000), cache.get(key(2)));
  }

  @Test
  void publisher_thatFails_storesNothing() {
    IllegalStateException failure = new IllegalStateException("no more");
    for (int i = 0; i < MANY; i++) {
      CompletableFuture<Boolean> written =
          streaming.putAsync(key(1), new Parts(bytes(500), 100, failure));
      Throwable thrown = assertThrows(CompletionException.class, written::join).getCause();
      assertEquals(failure, Objects.requireNonNull(thrown).getCause());
    }
    assertNull(cache.get(key(1)));
  }

  @Test
  void put_thatIsCancelled_storesNothing() {
    for (int i = 0; i < MANY; i++) {
      Parts parts = new Parts(bytes(100_000), 1000, null);
      CompletableFuture<Boolean> written = streaming.putAsync(key(1), parts);
      assertTrue(written.cancel(true));
      assertTrue(parts.isCancelled);
    }
    assertNull(cache.get(key(1)));
  }

  @Test
  void publisher_thatWasTaken_refusesAnotherSubscriber() {
    cache.put(key(1), bytes(500));
    ValuePublisher publisher = Objects.requireNonNull(streaming.getAsync(key(1)).join());
    Collector first = new Collector();
    Collector second = new Collector();
    publisher.subscribe(first);
    publisher.subscribe(second);
    assertArrayEquals(bytes(500), first.join());
    Throwable cause = assertThrows(CompletionException.class, second::join).getCause();
    assertInstanceOf(IllegalStateException.class, cause);
  }
}
