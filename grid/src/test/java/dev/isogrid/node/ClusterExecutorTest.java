package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.ClusterExecutor;
import dev.isogrid.api.Grid;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.KeyAffinity;
import dev.isogrid.api.NodeFailureNote;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tasks on nodes, which share this process and so these static fields. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterExecutorTest {
  private static final Set<String> ran = ConcurrentHashMap.newKeySet();
  private static final Set<String> interrupted = ConcurrentHashMap.newKeySet();
  private static final AtomicInteger calls = new AtomicInteger();

  private EmbeddedNodes nodes;
  private ClusterExecutor executor;

  @BeforeAll
  void start() throws Exception {
    nodes = EmbeddedNodes.start(3);
    executor = nodes.node(0).executor();
    Await.until("nodes", () -> executor.nodes().equals(List.of("n0", "n1", "n2")));
  }

  @AfterAll
  void close() {
    nodes.close();
  }

  @BeforeEach
  void forget() {
    ran.clear();
    interrupted.clear();
    calls.set(0);
  }

  private static <R extends @Nullable Object> R get(CompletableFuture<R> future) throws Exception {
    return future.get(120, TimeUnit.SECONDS);
  }

  private static <E extends Throwable> E failure(Class<E> type, CompletableFuture<?> future) {
    return assertInstanceOf(
        type, assertThrows(ExecutionException.class, () -> get(future)).getCause());
  }

  /** Waits until it is interrupted. */
  private static String stay(Grid node) {
    ran.add(node.nodeName());
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      interrupted.add(node.nodeName());
      Thread.currentThread().interrupt();
    }
    return "";
  }

  @Test
  void task_onAllNodes_givesTheResultOfEach() throws Exception {
    Map<String, String> results = get(executor.submit(node -> "on " + node.nodeName()));
    assertEquals(Map.of("n0", "on n0", "n1", "on n1", "n2", "on n2"), results);
    get(executor.submit(() -> calls.incrementAndGet()));
    assertEquals(3, calls.get());
  }

  @Test
  void task_onChosenNodes_runsThereOnly() throws Exception {
    ClusterExecutor two = executor.onNodes(List.of("n1", "n2"));
    assertEquals(Set.of("n1", "n2"), get(two.submit(Grid::nodeName)).keySet());
    ClusterExecutor one = executor.onNodesThat(name -> name.endsWith("0"));
    assertEquals(Map.of("n0", "n0"), get(one.submit(Grid::nodeName)));
    assertEquals(1, get(executor.onOneNode().submit(Grid::nodeName)).size());
    InvalidRequestException none =
        assertThrows(
            InvalidRequestException.class,
            () -> executor.onNodes(List.of("n7")).submit(Grid::nodeName));
    assertTrue(String.valueOf(none.getMessage()).contains("asked=[n7], there=[n0, n1, n2]"));
  }

  @Test
  void taskThatThrows_failsWithThatAndTheNodesName() throws Exception {
    ClusterExecutor one = executor.onNodes(List.of("n2"));
    ArithmeticException thrown =
        failure(ArithmeticException.class, one.submit(node -> 1 / (node.nodeName().length() - 2)));
    NodeFailureNote note = assertInstanceOf(NodeFailureNote.class, thrown.getSuppressed()[0]);
    assertEquals("n2", note.node());
    Map<String, String> told = new ConcurrentHashMap<>();
    get(
        executor.<String>submit(
            node -> {
              if (node.nodeName().equals("n1")) {
                throw new IllegalStateException("odd");
              }
              return "even";
            },
            (node, result, failure) -> told.put(node, failure == null ? result : "" + failure)));
    assertEquals(
        Map.of("n0", "even", "n1", "java.lang.IllegalStateException: odd", "n2", "even"), told);
  }

  @Test
  void taskOfOneNode_isTriedOnOthers_asOftenAsWanted() throws Exception {
    Map<String, Integer> results =
        get(
            executor
                .onOneNode(2)
                .submit(node -> {
                  ran.add(node.nodeName());
                  if (calls.incrementAndGet() < 3) {
                    throw new IllegalStateException("not yet");
                  }
                  return calls.get();
                }));
    assertEquals(List.of(3), List.copyOf(results.values()));
    assertEquals(Set.of("n0", "n1", "n2"), ran);
    failure(
        UnsupportedOperationException.class,
        executor
            .onOneNode(1)
            .submit(() -> {
              calls.incrementAndGet();
              throw new UnsupportedOperationException();
            }));
    assertEquals(5, calls.get());
  }

  @Test
  void consumerThatThrows_failsTheFutureWithThat() {
    for (Exception thrown : List.of(new ArithmeticException("no"), new IOException("no"))) {
      CompletableFuture<@Nullable Void> future =
          executor
              .onNodes(List.of("n0"))
              .submit(_ -> 1, (_, _, _) -> Unseen.<RuntimeException>thrown(thrown));
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> future.get(60, TimeUnit.SECONDS));
      assertSame(thrown, failure.getCause());
    }
  }

  @Test
  void cancelling_interruptsTheTaskOnAllNodes() throws Exception {
    CompletableFuture<Map<String, String>> future = executor.submit(ClusterExecutorTest::stay);
    // Two of them may have to wait for a thread on a machine of few processors; each has its pool.
    Await.until("begin", () -> ran.size() == 3);
    future.cancel(true);
    Await.until("interruption", () -> interrupted.size() == 3);
  }

  @Test
  void timeout_endsTheTask_andSaysThatItMayBeDone() throws Exception {
    ClusterExecutor impatient = executor.timeout(200, TimeUnit.MILLISECONDS).onNodes(List.of("n1"));
    IndeterminateGridException late =
        failure(IndeterminateGridException.class, impatient.submit(ClusterExecutorTest::stay));
    assertTrue(String.valueOf(late.getMessage()).contains("node=n1"), late::toString);
    Await.until("interruption", () -> interrupted.contains("n1"));
  }

  @Test
  void lambdaThatCantBeSent_failsAtTheCall_withTheReason() throws Exception {
    Object captured = new Object();
    InvalidRequestException refused =
        assertThrows(
            InvalidRequestException.class, () -> executor.submit(_ -> captured.hashCode()));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("argument 1 of class java.lang.Object"), message);
    InvalidRequestException unsent =
        failure(InvalidRequestException.class, executor.submit(_ -> new Object()));
    assertTrue(String.valueOf(unsent.getMessage()).contains("the result of a task"));
  }

  @Test
  void task_onPrimaryOfAKey_runsWhereTheKeyIs() throws Exception {
    Cache<String, String> cache = nodes.node(0).cache("c", EmbeddedNodes.distributed());
    cache.put("key", "value");
    KeyAffinity<String> affinity =
        nodes.node(0).keyAffinity("c", () -> "key" + calls.incrementAndGet());
    for (String node : executor.nodes()) {
      String key = affinity.keyFor(node);
      assertEquals(node, affinity.nodeOf(key));
      assertEquals(Map.of(node, node), get(executor.onPrimaryOf("c", key).submit(Grid::nodeName)));
      assertEquals(affinity.segmentOf(key), affinity.segmentOf(affinity.keyBeside(key)));
    }
    assertEquals(17, affinity.segmentOf(affinity.keyForSegment(17)));
    assertThrows(InvalidRequestException.class, () -> affinity.keyFor("n7"));
    KeyAffinity<String> poor = nodes.node(0).keyAffinity("c", () -> "same");
    assertThrows(
        InvalidRequestException.class, () -> poor.keyForSegment((poor.segmentOf("same") + 1) % 32));
  }

  @Test
  void nodesChosenAfterAKey_allRunTheTask() throws Exception {
    nodes.node(0).cache("chosen", EmbeddedNodes.distributed());
    ClusterExecutor ofKey = executor.onPrimaryOf("chosen", "key");
    Set<String> two = Set.of("n1", "n2");
    assertEquals(two, get(ofKey.onNodes(two).submit(Grid::nodeName)).keySet());
    assertEquals(two, get(ofKey.onNodesThat(two::contains).submit(Grid::nodeName)).keySet());
    assertEquals(1, get(ofKey.onNodes(two).onOneNode().submit(Grid::nodeName)).size());
    assertEquals(1, get(executor.onOneNode().onNodes(two).submit(Grid::nodeName)).size());
  }

  @Test
  void nodeThatDies_failsItsTask_andOthersGoOn() throws Exception {
    try (EmbeddedNodes own = EmbeddedNodes.start(3)) {
      Map<String, String> told = new ConcurrentHashMap<>();
      CompletableFuture<?> future =
          own.node(0)
              .executor()
              .<String>submit(
                  node -> node.nodeName().equals("n2") ? stay(node) : "done",
                  (node, result, failure) ->
                      told.put(
                          node, failure == null ? result : failure.getClass().getSimpleName()));
      Await.until("begin", () -> ran.contains("n2") && told.size() == 2);
      own.node(2).close();
      get(future);
      assertEquals("IndeterminateGridException", told.get("n2"));
      KeyAffinity<Integer> affinity = affinityOfAnotherNode(own);
      Await.until(
          "new owners",
          () -> !affinity.nodeOf(1).contains("n2") && own.node(0).executor().nodes().size() == 2);
    }
  }

  private static KeyAffinity<Integer> affinityOfAnotherNode(EmbeddedNodes own) {
    own.node(0).cache("c", EmbeddedNodes.distributed());
    return own.node(0).keyAffinity("c", calls::incrementAndGet);
  }

  @Test
  void gridWithoutCluster_doesItsTasksItself() throws Exception {
    try (Grid alone = Grid.start()) {
      String name = alone.nodeName();
      assertEquals(Map.of(name, 7), get(alone.executor().submit(_ -> 7)));
      Cache<String, String> cache = alone.cache("c");
      cache.put("a", "b");
      assertEquals(
          Map.of(name, "b"),
          get(
              alone
                  .executor()
                  .onPrimaryOf("c", "a")
                  .submit(node -> node.<String, String>cache("c").get("a"))));
      KeyAffinity<Integer> affinity = alone.keyAffinity("c", calls::incrementAndGet);
      assertEquals(name, affinity.nodeOf(affinity.keyForSegment(3)));
    }
  }
}
