package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.engine.PendingWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Writes that a node begins without a thread that waits for other nodes. */
class BegunWritesTest {
  private static final int KEYS = 30;

  private int begun;

  private static CacheEngine<BinaryKey, Bytes> engine(EmbeddedNodes nodes, int index) {
    nodes.node(index).cache("c", EmbeddedNodes.distributed());
    return requireNonNull(((Node) nodes.node(index)).engine("c"));
  }

  private static BinaryKey key(int number) {
    return BinaryKey.of(("key" + number).getBytes(StandardCharsets.UTF_8));
  }

  private static KeyWrite<BinaryKey, Bytes> put(int value) {
    return new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(new byte[] {(byte) value}));
  }

  /** Begins a write, waits for its end, and takes it; or has it done if it can't be begun. */
  private long write(
      CacheEngine<BinaryKey, Bytes> engine, BinaryKey key, KeyWrite<BinaryKey, Bytes> write)
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    PendingWrite pending = engine.tryBegin(key, key.hash(), write, done::countDown);
    if (pending == null) {
      return engine.write(key, key.hash(), write); // on a busy machine nodes lose their copies
    }
    begun++;
    done.await();
    return engine.finish(pending, key, write);
  }

  @Test
  void tryBegin_onEachNode_endsAsAWriteDoes() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(3)) {
      for (int node = 0; node < 3; node++) {
        CacheEngine<BinaryKey, Bytes> engine = engine(nodes, node);
        nodes.awaitCopies();
        for (int i = 0; i < KEYS; i++) {
          BinaryKey key = key(i);
          List<byte[]> previous = new ArrayList<>();
          KeyWrite<BinaryKey, Bytes> put = put(node + 1);
          put.readingPrevious(entry -> previous.add(entry.value().toByteArray()));
          assertNotEquals(0, write(engine, key, put));
          assertEquals(node > 0, put.existed());
          if (node > 0) {
            assertArrayEquals(new byte[] {(byte) node}, previous.getFirst());
          }
          KeyWrite<BinaryKey, Bytes> absent = put(9).when(KeyWrite.Condition.ABSENT);
          assertEquals(0, write(engine, key, absent));
          assertEquals(KeyWrite.Outcome.KEY_PRESENT, absent.outcome());
        }
      }
      assertTrue(begun > KEYS, () -> "begun=" + begun);
    }
  }

  @Test
  void tryBegin_onANodeThatCloses_endsOrIsRefused() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      CacheEngine<BinaryKey, Bytes> engine = engine(nodes, 0);
      nodes.awaitCopies();
      AtomicInteger asked = new AtomicInteger();
      AtomicInteger ended = new AtomicInteger();
      CountDownLatch some = new CountDownLatch(100);
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                FatalGridException refusal =
                    assertThrows(
                        FatalGridException.class,
                        () -> {
                          while (true) {
                            BinaryKey key = key(asked.get() % KEYS);
                            if (engine.tryBegin(key, key.hash(), put(1), ended::incrementAndGet)
                                != null) {
                              asked.incrementAndGet();
                              some.countDown();
                            }
                          }
                        });
                assertTrue(String.valueOf(refusal.getMessage()).contains("close"));
              });
      some.await();
      nodes.node(0).close();
      writer.join();
      Await.until("the end of all", () -> ended.get() == asked.get());
    }
  }
}
