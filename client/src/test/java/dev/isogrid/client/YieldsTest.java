package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.wire.Opcodes;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Threads yield before they sleep only while that pays. */
class YieldsTest {
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1); // it overflows
  private final AtomicInteger yielded = new AtomicInteger();
  private Runnable whenYielded = () -> {};
  private final Yields yields =
      new Yields(
          clock::get,
          () -> {
            yielded.incrementAndGet();
            whenYielded.run();
          });
  private final Waited operation = new Waited();

  private static final class Waited extends Operation<String> {
    Waited() {
      super(anyFormat());
    }

    private static RequestFormat anyFormat() {
      ObjectFormat objects = new ObjectFormat(new StringMarshaller());
      CacheRef cache = new CacheRef("c", ClientConfig.builder().build());
      return new RequestFormat(cache, 0, Intelligence.BASIC, objects, objects);
    }

    @Override
    int opcode() {
      return Opcodes.PING;
    }

    @Override
    String decode(ResponseReader in, int status) {
      return "";
    }
  }

  private void answers(int count, boolean wasAsleep) {
    for (int i = 0; i < count; i++) {
      yields.answered(wasAsleep, clock.get());
    }
  }

  private int yieldsNow() {
    yielded.set(0);
    yields.untilDone(operation);
    yields.once();
    return yielded.get();
  }

  @Test
  void untilDone_endsWithTheAnswer() {
    whenYielded =
        () -> {
          if (yielded.get() == 2) {
            operation.succeed("");
          }
        };
    yields.untilDone(operation);
    assertEquals(2, yielded.get());
  }

  @Test
  void untilDone_withoutAnswer_endsAfterSomeYields() {
    yields.untilDone(operation);
    assertEquals(Yields.YIELDS_MAX, yielded.get());
  }

  @Test
  void untilDone_whenAppointedToWatch_endsAtOnce() {
    SchemaWaits waits = new SchemaWaits();
    operation.watched = new EventLoop("loop", waits);
    yields.untilDone(operation);
    assertEquals(0, yielded.get());
    waits.close();
  }

  private void yieldSlowly() {
    whenYielded = () -> clock.addAndGet(Yields.SLOW_NANOS + 1);
    yields.once();
    whenYielded = () -> {};
  }

  @Test
  void slowYieldsInARow_pauseAll() {
    for (int i = 1; i < Yields.SLOW_MAX; i++) {
      yieldSlowly();
      assertEquals(Yields.YIELDS_MAX + 1, yieldsNow());
    }
    yieldSlowly();
    assertEquals(0, yieldsNow());
    clock.addAndGet(Yields.PAUSE_NANOS - 1);
    assertEquals(0, yieldsNow());
    clock.addAndGet(1);
    assertEquals(Yields.YIELDS_MAX + 1, yieldsNow());
    yieldSlowly();
    assertEquals(Yields.YIELDS_MAX + 1, yieldsNow());
  }

  @Test
  void slowYieldsNowAndThen_pauseNothing() {
    for (int i = 0; i < 2 * Yields.SLOW_MAX; i++) {
      yieldSlowly();
      clock.addAndGet(Yields.ROW_NANOS);
    }
    assertEquals(Yields.YIELDS_MAX + 1, yieldsNow());
  }

  @Test
  void slowYieldsAtTheSameTime_countOnce() {
    whenYielded =
        () -> {
          whenYielded = () -> clock.addAndGet(Yields.SLOW_NANOS + 1);
          for (int i = 0; i < Yields.SLOW_MAX; i++) {
            long before = clock.get();
            yields.once();
            clock.set(i == Yields.SLOW_MAX - 1 ? clock.get() : before);
          }
          whenYielded = () -> {};
        };
    yields.once();
    assertEquals(Yields.YIELDS_MAX + 1, yieldsNow());
  }

  @Test
  void slowYieldsOfACaller_pauseAll() {
    whenYielded = () -> clock.addAndGet(1 + Yields.SLOW_NANOS / Yields.YIELDS_MAX);
    for (int i = 0; i < Yields.SLOW_MAX; i++) {
      yields.untilDone(operation);
    }
    whenYielded = () -> {};
    assertEquals(0, yieldsNow());
  }

  @Test
  void sampleOfSleepingCallers_pausesAll() {
    answers(Yields.SAMPLE - Yields.ASLEEP_MAX - 1, false);
    answers(Yields.ASLEEP_MAX, true);
    assertEquals(Yields.YIELDS_MAX + 1, yieldsNow());
    answers(1, true);
    assertEquals(0, yieldsNow());
  }

  @Test
  void sampleWithSomeCallersAwake_pausesNothing_andTheNextOneBeginsAnew() {
    answers(Yields.ASLEEP_MAX, true);
    answers(Yields.SAMPLE - Yields.ASLEEP_MAX, false);
    answers(Yields.SAMPLE - 1, true);
    assertEquals(Yields.YIELDS_MAX + 1, yieldsNow());
    answers(1, true);
    assertEquals(0, yieldsNow());
  }

  @Test
  void answersInAPause_areNotCounted() {
    answers(Yields.SAMPLE, true);
    answers(Yields.SAMPLE - 1, true);
    clock.addAndGet(Yields.PAUSE_NANOS);
    answers(1, true);
    assertEquals(Yields.YIELDS_MAX + 1, yieldsNow());
  }
}
