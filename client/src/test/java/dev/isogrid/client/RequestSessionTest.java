package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RequestSessionTest {
  private static final int THREADS = 4;
  private static final int PER_THREAD = 50_000;

  private final RequestSession session = new RequestSession();

  @Test
  void doneUpTo_isTheLastNumberBeforeTheFirstOpenOne() {
    assertEquals(1, session.tryBegin());
    assertEquals(2, session.tryBegin());
    assertEquals(3, session.tryBegin());
    session.end(2);
    assertEquals(0, session.doneUpTo());
    session.end(1);
    assertEquals(2, session.doneUpTo());
    session.end(1);
    session.end(2);
    assertEquals(2, session.doneUpTo());
    session.end(3);
    assertEquals(3, session.doneUpTo());
  }

  @Test
  void numbers_endWhereAnOldOperationHangs() {
    assertEquals(1, session.tryBegin());
    for (long number = 2; number <= RequestSession.WINDOW; number++) {
      assertEquals(number, session.tryBegin());
      session.end(number);
    }
    assertEquals(0, session.tryBegin());
    session.end(1);
    assertEquals(RequestSession.WINDOW, session.doneUpTo());
    assertEquals(RequestSession.WINDOW + 1, session.tryBegin());
  }

  @Test
  void numbers_ofManyThreads_allEnd() {
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      SplittableRandom random = new SplittableRandom(thread);
      threads.add(CompletableFuture.runAsync(() -> use(random)));
    }
    threads.forEach(CompletableFuture::join);
    assertEquals((long) THREADS * PER_THREAD, session.doneUpTo());
  }

  private void use(SplittableRandom random) {
    List<Long> open = new ArrayList<>();
    for (int i = 0; i < PER_THREAD; i++) {
      open.add(session.tryBegin());
      if (open.size() > random.nextInt(100)) {
        Collections.swap(open, random.nextInt(open.size()), open.size() - 1);
        session.end(open.remove(open.size() - 1));
      }
    }
    open.forEach(session::end);
  }
}
