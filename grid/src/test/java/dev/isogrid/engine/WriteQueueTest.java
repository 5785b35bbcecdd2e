package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheStore;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StoreEntry;
import dev.isogrid.api.WriteBehind;
import dev.isogrid.base.Env;
import dev.isogrid.base.FakeEnv;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The bytes of changes that wait for a store. */
class WriteQueueTest {
  private static final int BYTES_MAX = 1000;

  /** A store that takes all, at once or at the second attempt. */
  private static final class Taking implements CacheStore<Object, Object> {
    private final List<Object> keys = new ArrayList<>();

    /** Runs once during the next write, which fails. */
    private @Nullable Runnable whileItFails;

    @Override
    public @Nullable StoreEntry<Object, Object> load(Object key) {
      return null;
    }

    @Override
    public void write(List<StoreEntry<Object, Object>> batch) {
      Runnable failing = whileItFails;
      whileItFails = null;
      if (failing != null) {
        failing.run();
        throw new IllegalStateException("on purpose");
      }
      batch.forEach(entry -> keys.add(entry.key()));
    }

    @Override
    public void delete(List<Object> deleted) {
      keys.removeAll(deleted);
    }

    @Override
    public void publish(IntPredicate segments, Consumer<StoreEntry<Object, Object>> target) {}

    @Override
    public void clear() {
      keys.clear();
    }
  }

  private final FakeEnv fake = new FakeEnv();
  private final Taking store = new Taking();
  private final WriteQueue queue = queue(fake.env());

  private WriteQueue queue(Env env) {
    return new WriteQueue(
        "c",
        WriteBehind.DEFAULT.timeout(Duration.ofMillis(1)),
        BYTES_MAX,
        new StoreCalls("c", "s", () -> store),
        env.scheduler()::execute,
        env.nanoClock());
  }

  private static StoreChange put(String key, int size) {
    return new StoreChange(key, key, StoreEntry.of(key, new byte[size]));
  }

  private void assertRefused(StoreChange change) {
    String message =
        String.valueOf(
            assertThrows(RetryableGridException.class, () -> queue.add(change)).getMessage());
    assertTrue(message.contains("bytes limit=1000"), message);
  }

  @Test
  void add_beyondTheBytes_isRefused_untilTheStoreHasTakenSome() {
    queue.add(put("a", 500));
    queue.add(put("b", 400));
    assertRefused(put("c", 200));
    queue.add(put("b", 100)); // takes the place of the one that waits
    queue.add(put("c", 200));
    assertRefused(put("c", 900));
    fake.runTasks();
    assertEquals(List.of("a", "b", "c"), store.keys);
    queue.add(put("d", 900));
    assertRefused(put("e", 200));
  }

  @Test
  void change_thatFailed_andHasANewerOne_noLongerCounts() {
    queue.add(put("a", 600));
    store.whileItFails = () -> queue.add(put("a", 100));
    fake.runTasks();
    assertEquals(List.of("a"), store.keys);
    queue.add(put("b", 499));
    queue.add(put("c", 499));
    assertRefused(put("d", 1));
  }

  @Test
  void add_ofALargerChangeThanAllMayBe_waitsAlone() {
    queue.add(put("a", 5000));
    queue.add(put("a", 6000));
    assertRefused(put("b", 1));
    queue.clear(store::clear);
    queue.add(put("b", 1));
    fake.runTasks();
    assertEquals(List.of("b"), store.keys);
  }
}
