package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.StorageType;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryFunction;
import dev.isogrid.engine.FunctionWrite;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.structure.Arithmetic;
import dev.isogrid.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Arithmetic on entries that two nodes share. */
class SharedArithmeticTest {
  private static final int ADDITIONS = 100;

  private final EmbeddedNodes nodes;
  private final List<CacheEngine<BinaryKey, Bytes>> engines = new ArrayList<>();

  SharedArithmeticTest() throws Exception {
    nodes = EmbeddedNodes.start(2);
    CacheConfig config =
        CacheConfig.builder()
            .mode(CacheMode.DIST_SYNC)
            .storage(StorageType.OFF_HEAP)
            .segments(32)
            .build();
    for (int i = 0; i < 2; i++) {
      Node node = (Node) nodes.node(i);
      if (i == 0) {
        node.createForServer("c", config);
      }
      Await.until("cache", () -> node.engine("c") != null);
      engines.add(requireNonNull(node.engine("c")));
    }
  }

  @AfterEach
  void close() throws Exception {
    nodes.close();
  }

  /** Notes how often it was decided on this node by itself. */
  private static final class Counted implements FunctionWrite {
    private final Arithmetic arithmetic = new Arithmetic().to(true, 1, 0).making(1, 60_000);
    private int decidedHere;

    @Override
    public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
      decidedHere++;
      arithmetic.apply(current, effect);
    }

    @Override
    public EntryFunction function() {
      return arithmetic.function();
    }

    @Override
    public byte[] argument() {
      return arithmetic.argument();
    }

    @Override
    public void answer(byte[] given) {
      arithmetic.answer(given);
    }
  }

  private static BinaryKey key(String key) {
    return BinaryKey.of(key.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void additionsOnAllNodes_areOneOperationEachAndAllCount() throws Exception {
    BinaryKey key = key("sum");
    List<Future<Integer>> sums = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        CacheEngine<BinaryKey, Bytes> engine = engines.get(i % 2);
        Callable<Integer> adding = () -> decidedElsewhere(engine, BinaryKey.of(key.toByteArray()));
        sums.add(threads.submit(adding));
      }
    }
    int elsewhere = 0;
    for (Future<Integer> each : sums) {
      elsewhere += each.get();
    }
    assertTrue(elsewhere > 0, "each was decided where it was made");
    byte[] sum = requireNonNull(engines.getFirst().readBytes(key, key.hash()));
    assertEquals("" + 4 * ADDITIONS, new String(sum, StandardCharsets.UTF_8));
  }

  private static int decidedElsewhere(CacheEngine<BinaryKey, Bytes> engine, BinaryKey key) {
    int elsewhere = 0;
    for (int i = 0; i < ADDITIONS; i++) {
      Counted write = new Counted();
      assertNotEquals(0, engine.write(key, key.hash(), write));
      assertTrue(write.decidedHere <= 1, "it was decided again");
      elsewhere += write.decidedHere == 0 ? 1 : 0;
    }
    return elsewhere;
  }

  @Test
  void arithmetic_onEitherNode_meansTheSame() {
    for (CacheEngine<BinaryKey, Bytes> engine : engines) {
      for (int i = 0; i < 8; i++) {
        BinaryKey key = key("k" + i);
        Arithmetic wanted = new Arithmetic().to(false, 5, 0);
        engine.write(key, key.hash(), new KeyWrite<BinaryKey, Bytes>().remove());
        assertEquals(0, engine.write(key, key.hash(), wanted));
        assertEquals(Arithmetic.Outcome.NO_ENTRY, wanted.outcome());
        engine.write(key, key.hash(), put("many"));
        assertEquals(0, engine.write(key, key.hash(), wanted));
        assertEquals(Arithmetic.Outcome.NO_NUMBER, wanted.outcome());
        long version = engine.write(key, key.hash(), put("17"));
        wanted.expecting(version);
        long next = engine.write(key, key.hash(), wanted);
        assertEquals(Arithmetic.Outcome.DONE, wanted.outcome());
        assertEquals(12, wanted.result());
        assertEquals(9, wanted.clientFlags());
        assertTrue(next > version);
        assertEquals(0, engine.write(key, key.hash(), wanted));
        assertEquals(Arithmetic.Outcome.OTHER_VERSION, wanted.outcome());
        byte[] value = requireNonNull(engine.readBytes(key, key.hash()));
        assertEquals("12", new String(value, StandardCharsets.UTF_8));
      }
    }
  }

  private static KeyWrite<BinaryKey, Bytes> put(String value) {
    return new KeyWrite<BinaryKey, Bytes>()
        .put(Bytes.of(value.getBytes(StandardCharsets.UTF_8)))
        .expiry(Expiry.UNLIMITED, Expiry.UNLIMITED)
        .attributes(9, null);
  }
}
