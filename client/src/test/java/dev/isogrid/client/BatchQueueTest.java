package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** How many requests of a bulk operation are under way, with a sender that the test answers for. */
class BatchQueueTest {
  private final ClientConfig config = ClientConfig.builder().build();
  private final ObjectFormat objects = new ObjectFormat(config.marshaller());
  private final RequestFormat format =
      new RequestFormat(new CacheRef("c", config), 0, config.intelligence(), objects, objects);
  private final List<Operation<?>> sent = new ArrayList<>();
  private final BatchQueue queue = new BatchQueue(sent::add, 1 << 20);

  private SizeOperation request() {
    return new SizeOperation(format);
  }

  @Test
  void requests_areSentAFewAtATime() {
    int count = 3 * BatchQueue.UNDER_WAY_MAX;
    for (int i = 0; i < count; i++) {
      queue.add(null, request());
    }
    CompletableFuture<?> end = queue.end();
    for (int answered = 0; answered < count; answered++) {
      assertEquals(Math.min(count, answered + BatchQueue.UNDER_WAY_MAX), sent.size());
      assertFalse(end.isDone());
      ((SizeOperation) sent.get(answered)).succeed(1L);
    }
    assertTrue(end.isDone());
    assertFalse(end.isCompletedExceptionally());
  }

  @Test
  void failure_endsWhatWaits_andWhatComes() {
    for (int i = 0; i < 2 * BatchQueue.UNDER_WAY_MAX; i++) {
      queue.add(null, request());
    }
    HotRodClientException why = new HotRodClientException("asked to fail");
    sent.get(0).fail(why);
    queue.add(null, request());
    CompletableFuture<?> end = queue.end();
    assertEquals(BatchQueue.UNDER_WAY_MAX, sent.size());
    assertFalse(end.isDone());
    List.copyOf(sent.subList(1, sent.size())).forEach(each -> ((SizeOperation) each).succeed(1L));
    assertSame(why, assertThrows(CompletionException.class, end::join).getCause());
    assertEquals(BatchQueue.UNDER_WAY_MAX, sent.size());
  }

  @Test
  void senderThatThrows_isAFailure() {
    HotRodClientException why = new HotRodClientException("no room");
    BatchQueue refusing =
        new BatchQueue(
            request -> {
              throw why;
            },
            1);
    refusing.add(null, request());
    CompletableFuture<?> end = refusing.end();
    assertSame(why, assertThrows(CompletionException.class, end::join).getCause());
  }

  @Test
  void noRequests_areDoneAtOnce() {
    assertTrue(queue.end().isDone());
  }
}
