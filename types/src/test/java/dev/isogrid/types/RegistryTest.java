package dev.isogrid.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.testkit.CompiledClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** First uses of classes by many at once, and registries that fail. */
@NullUnmarked // records with and without values
@SuppressWarnings("all") // what users may do is tested here
class RegistryTest {
  record Inner(String text) {}

  record Outer(int number, Inner inner, List<Outer> others) {}

  private static final int THREADS = 6;
  private static final int ROUNDS = 50;

  @Test
  void firstUse_byManyThreads_givesOneSchema() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        SchemasInMemory registry = new SchemasInMemory();
        ObjectMarshaller shared = new ObjectMarshaller().withRegistry(registry);
        CyclicBarrier start = new CyclicBarrier(THREADS);
        Set<String> bytes = ConcurrentHashMap.newKeySet();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          ObjectMarshaller mine =
              i % 2 == 0 ? shared : new ObjectMarshaller().withRegistry(registry);
          all.add(
              pool.submit(() -> {
                start.await(30, TimeUnit.SECONDS);
                Outer value = new Outer(1, new Inner("x"), List.of(new Outer(2, null, null)));
                byte[] written = mine.toBytes(value);
                bytes.add(java.util.Arrays.toString(written));
                assertEquals(value, mine.fromBytes(written));
                return null;
              }));
        }
        for (Future<?> each : all) {
          each.get(60, TimeUnit.SECONDS);
        }
        assertEquals(1, bytes.size());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void versionsThatRace_useNoNumberTwice() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < 2; round++) {
        SchemasInMemory registry = new SchemasInMemory();
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<byte[]>> all = new ArrayList<>();
        List<ObjectMarshaller> marshallers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          CompiledClasses version =
              new CompiledClasses(
                  Map.of(
                      "shop.Order",
                      "package shop; public record Order(int own%d) {}".formatted(i)));
          marshallers.add(new ObjectMarshaller(version).withRegistry(registry));
          int mine = i;
          all.add(
              pool.submit(() -> {
                Object order = version.make("shop.Order", mine + 100);
                start.await(30, TimeUnit.SECONDS);
                return marshallers.get(mine).toBytes(order);
              }));
        }
        for (int i = 0; i < THREADS; i++) {
          byte[] bytes = all.get(i).get(60, TimeUnit.SECONDS);
          for (int j = 0; j < THREADS; j++) {
            assertEquals(
                "Order[own%d=%d]".formatted(j, i == j ? i + 100 : 0),
                marshallers.get(j).fromBytes(bytes).toString());
          }
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** One whose writes never succeed. */
  private static final class Contended implements SchemaRegistry {
    final AtomicInteger tries = new AtomicInteger();

    @Override
    public @Nullable String schema(String file) {
      return "syntax = \"proto3\"; package dev.isogrid.types; // " + tries.get();
    }

    @Override
    public boolean replace(String file, @Nullable String expected, String text) {
      tries.incrementAndGet();
      return false;
    }
  }

  @Test
  void writesThatAlwaysLose_endWithAnErrorToRetry() {
    Contended registry = new Contended();
    ObjectMarshaller marshaller = new ObjectMarshaller().withRegistry(registry);
    var e = assertThrows(RetryableGridException.class, () -> marshaller.toBytes(new Inner("x")));
    assertTrue(e.getMessage().contains("dev.isogrid.types.RegistryTest.proto"), e.getMessage());
    assertTrue(registry.tries.get() < 1000);
  }

  /** One that fails at first. */
  private static final class Failing implements SchemaRegistry {
    final SchemasInMemory healthy = new SchemasInMemory();
    volatile boolean fails = true;

    @Override
    public @Nullable String schema(String file) {
      if (fails) {
        throw new RetryableGridException("no quorum");
      }
      return healthy.schema(file);
    }

    @Override
    public boolean replace(String file, @Nullable String expected, String text) {
      return healthy.replace(file, expected, text);
    }
  }

  @Test
  void registryThatRecovers_isAskedAgain() {
    Failing registry = new Failing();
    ObjectMarshaller marshaller = new ObjectMarshaller().withRegistry(registry);
    assertThrows(RetryableGridException.class, () -> marshaller.toBytes(new Inner("x")));
    registry.fails = false;
    assertEquals(new Inner("x"), marshaller.fromBytes(marshaller.toBytes(new Inner("x"))));
  }

  @Test
  void schemaThatIsComplete_isNotWritten() {
    SchemasInMemory full = new SchemasInMemory();
    new ObjectMarshaller().schemas(Outer.class).forEach((f, text) -> full.replace(f, null, text));
    SchemaRegistry readOnly =
        new SchemaRegistry() {
          @Override
          public @Nullable String schema(String file) {
            return full.schema(file);
          }

          @Override
          public boolean replace(String file, @Nullable String expected, String text) {
            throw new AssertionError("written: " + text);
          }
        };
    Outer value = new Outer(1, new Inner("x"), List.of());
    ObjectMarshaller marshaller = new ObjectMarshaller().withRegistry(readOnly);
    assertEquals(value, marshaller.fromBytes(marshaller.toBytes(value)));
  }
}
