package dev.isogrid.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeptCallsTest {
  private static final int THREADS = 4;
  private static final int CALLS = 20_000;

  /** A kept object, with a check that one thread has it at a time. */
  private static final class Thing {
    final int place;
    final AtomicInteger users = new AtomicInteger();

    Thing(int place) {
      this.place = place;
    }
  }

  private final AtomicInteger made = new AtomicInteger();
  private final KeptCalls<Thing> kept =
      new KeptCalls<>(place -> {
        made.incrementAndGet();
        return new Thing(place);
      });

  @Test
  void take_afterGivingBack_givesTheSame() {
    Thing first = kept.take();
    kept.giveBack(first.place);

    assertSame(first, kept.take());
    assertEquals(1, made.get());
  }

  @Test
  void take_whileItsOwnIsTaken_givesOneThatIsNotKept() {
    Thing outer = kept.take();
    Thing inner = kept.take();
    assertNotSame(outer, inner);
    assertEquals(KeptCalls.NOWHERE, inner.place);

    kept.giveBack(inner.place);
    Thing other = kept.take();
    assertNotSame(outer, other, "still in use");
    assertNotSame(inner, other);

    kept.giveBack(outer.place);
    assertSame(outer, kept.take());
  }

  @Test
  void drain_whileOneIsInUse_forgetsTheOthersOnly() {
    Thing first = kept.take();
    List<Thing> forgotten = new ArrayList<>();

    kept.drain(forgotten::add);
    assertEquals(List.of(), forgotten);
    kept.giveBack(first.place);
    kept.drain(forgotten::add);

    assertEquals(List.of(first), forgotten);
    assertNotSame(first, kept.take());
  }

  @Test
  void take_byManyThreads_givesEachItsOwn() throws InterruptedException {
    AtomicInteger clashes = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8 * THREADS; i++) {
      threads.add(Thread.ofVirtual().start(() -> callOften(clashes)));
    }
    for (int i = 0; i < THREADS; i++) {
      threads.add(Thread.ofPlatform().start(() -> callOften(clashes)));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertEquals(0, clashes.get());
    assertTrue(made.get() < 36 * CALLS, "none was ever used again");
  }

  private void callOften(AtomicInteger clashes) {
    for (int call = 0; call < CALLS; call++) {
      Thing thing = kept.take();
      if (thing.users.incrementAndGet() != 1) {
        clashes.incrementAndGet();
      }
      Thread.onSpinWait();
      thing.users.decrementAndGet();
      kept.giveBack(thing.place);
    }
  }
}
