package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.FakeEnv;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.ObjectReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The parts of a result, whose callers may leave while they are made. */
class PartitionStoreTest {
  private static final long DEADLINE_SECONDS = 30;
  private static final int KEYS = 5;

  private final ObjectReader objects = ObjectReader.ofAllPackages();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final PartitionStore store =
      new PartitionStore(
          null,
          new AtomicLong(),
          1 << 20,
          new NodeCounters(1),
          new FakeEnv().env().nanoClock(),
          objects);

  @AfterEach
  void close() {
    threads.shutdownNow();
    store.close();
  }

  private void fill() {
    PairBytes pairs = new PairBytes(100);
    for (long key = 0; key < KEYS; key++) {
      int at = RunCursor.begin(pairs);
      PairCodec.write(key, pairs);
      int keyLength = pairs.length() - at - RunCursor.HEAD_BYTES;
      PairCodec.write(1L, pairs);
      RunCursor.end(pairs, at, (int) key, keyLength);
    }
    store.add(1, new Run.InMemory(pairs.copy(), 0));
    store.count(new long[] {1});
  }

  private List<Object> keys(ByteString part) {
    byte[] bytes = part.toByteArray();
    RunCursor cursor = RunCursor.ofMemory(bytes, 1, bytes.length);
    List<Object> keys = new ArrayList<>();
    while (cursor.next()) {
      keys.add(PairCodec.read(bytes, cursor.keyOffset(), cursor.keyLength(), objects));
    }
    return keys;
  }

  @Test
  void part_whoseCallerIsInterrupted_hasAllItsKeysWhenItIsAskedForAgain() throws Exception {
    fill();
    CountDownLatch release = new CountDownLatch(1);
    Future<ByteString> left =
        threads.submit(() ->
            store.part(
                0,
                (key, _) -> {
                  if (key.equals(2L)) {
                    begun.countDown();
                    release.await();
                  }
                  return key;
                },
                1 << 20));
    assertTrue(begun.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
    left.cancel(true);
    Future<ByteString> again = threads.submit(() -> store.part(0, (key, _) -> key, 1 << 20));
    release.countDown();
    ByteString part = again.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    assertEquals(List.of(0L, 1L, 2L, 3L, 4L), keys(part));
  }

  @Test
  void part_afterAFailure_failsAgain() {
    fill();
    AtomicInteger calls = new AtomicInteger();
    UserFailure first =
        assertThrows(
            UserFailure.class,
            () ->
                store.part(
                    0,
                    (key, _) -> {
                      if (calls.incrementAndGet() == 3) {
                        throw new ArithmeticException("on purpose");
                      }
                      return key;
                    },
                    1 << 20));
    UserFailure second =
        assertThrows(UserFailure.class, () -> store.part(0, (key, _) -> key, 1 << 20));
    assertSame(first, second);
  }

  @Test
  void close_interruptsAReducer() throws Exception {
    fill();
    Future<ByteString> part =
        threads.submit(() ->
            store.part(
                0,
                (_, _) -> {
                  begun.countDown();
                  new CountDownLatch(1).await();
                  return "";
                },
                1 << 20));
    assertTrue(begun.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
    threads.submit(store::close).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    assertThrows(ExecutionException.class, () -> part.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }
}
