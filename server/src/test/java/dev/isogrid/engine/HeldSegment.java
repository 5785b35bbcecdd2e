package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** Holds the lock of a key's segment by a write that does not end until this is closed. */
public final class HeldSegment implements AutoCloseable {
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread holder;

  /** Begins to hold the segment, and returns when it is held. */
  public HeldSegment(CacheEngine<BinaryKey, Bytes> engine, String key) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    BinaryKey held = key(key);
    holder =
        Thread.ofPlatform()
            .start(() ->
                engine.write(
                    held,
                    held.hash(),
                    (_, _) -> {
                      begun.countDown();
                      awaitEnd();
                    }));
    begun.await();
  }

  private static BinaryKey key(String key) {
    return BinaryKey.of(key.getBytes(StandardCharsets.UTF_8));
  }

  /** A key of another segment than a key. */
  public static String elsewhere(CacheEngine<BinaryKey, Bytes> engine, String key) {
    int number = 0;
    while (engine.segmentOf(key("k" + number).hash()) == engine.segmentOf(key(key).hash())) {
      number++;
    }
    return "k" + number;
  }

  private void awaitEnd() {
    try {
      end.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Releases the lock, and returns when it is free. */
  @Override
  public void close() {
    end.countDown();
    try {
      holder.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
