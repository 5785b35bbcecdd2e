package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Conditional writes of several REST connections to the same keys. The server decides a condition
 * under the lock that the write holds: a decision before that would let two writers win.
 *
 * <p>Each connection sends its requests without waiting for answers, so that the event loops meet
 * at the same entries thousands of times.
 */
class ConditionalContentionTest {
  /** A multiple of the event loops of usual machines, so that each loop has some. */
  private static final int CONNECTIONS = 4;

  private static final int KEYS = 200;
  private static final int ROUNDS = 10;

  /** Rounds that each take a second, since dates of HTTP have no smaller part. */
  private static final int TIMED_ROUNDS = 3;

  private static final int DONE = 204;
  private static final int ABSENT = 404;
  private static final int FAILED = 412;

  private static final String CACHE = "/rest/v2/caches/contended/";
  private static final String MORTAL = "timeToLiveSeconds: 1000";

  private final List<PipelinedRest> connections = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
  private final CyclicBarrier start = new CyclicBarrier(CONNECTIONS);
  private Server server;

  @BeforeEach
  void start() throws Exception {
    server = Server.start(ServerSettings.local(0, GridConfig.builder().build(), Protection.NONE));
    // One segment: all writes need the same lock, for which the event loops compete.
    server
        .node()
        .createForServer(
            "contended", CacheConfig.builder().storage(StorageType.OFF_HEAP).segments(1).build());
    for (int i = 0; i < CONNECTIONS; i++) {
      connections.add(new PipelinedRest(server.address()));
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (PipelinedRest connection : connections) {
      connection.close();
    }
    threads.shutdownNow();
    server.close();
  }

  /** Sends the requests of each connection, all at once; returns the answers by connection. */
  private List<List<PipelinedRest.Answer>> race(IntFunction<List<String>> requests)
      throws Exception {
    List<Future<List<PipelinedRest.Answer>>> racing = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      PipelinedRest connection = connections.get(i);
      List<String> own = requests.apply(i);
      Callable<List<PipelinedRest.Answer>> runner =
          () -> {
            start.await();
            return connection.call(own);
          };
      racing.add(threads.submit(runner));
    }
    List<List<PipelinedRest.Answer>> answers = new ArrayList<>();
    for (Future<List<PipelinedRest.Answer>> runner : racing) {
      answers.add(runner.get());
    }
    return answers;
  }

  /** Sends the same requests on all connections at once. */
  private List<List<PipelinedRest.Answer>> race(List<String> requests) throws Exception {
    return race(_ -> requests);
  }

  private List<PipelinedRest.Answer> call(List<String> requests) throws Exception {
    return connections.getFirst().call(requests);
  }

  private static List<String> ofEachKey(IntFunction<String> request) {
    return IntStream.range(0, KEYS).mapToObj(request).toList();
  }

  private static String put(int key, String... headers) {
    return PipelinedRest.put(CACHE + key, headers);
  }

  private static String delete(int key, String... headers) {
    return PipelinedRest.request("DELETE", CACHE + key, headers);
  }

  private static String get(int key) {
    return PipelinedRest.request("GET", CACHE + key);
  }

  private static List<String> tags(List<PipelinedRest.Answer> answers) {
    return answers.stream().map(PipelinedRest.Answer::tag).toList();
  }

  /** The answer of the one connection whose request succeeded; the others got {@code lost}. */
  private static PipelinedRest.Answer winner(
      List<List<PipelinedRest.Answer>> answers, int index, Integer... lost) {
    List<PipelinedRest.Answer> ofAll = answers.stream().map(each -> each.get(index)).toList();
    List<PipelinedRest.Answer> done =
        ofAll.stream().filter(answer -> answer.status() == DONE).toList();
    assertEquals(1, done.size(), () -> "done more or less than once: key=" + index + ofAll);
    ofAll.stream()
        .filter(answer -> answer.status() != DONE)
        .forEach(answer -> assertTrue(Set.of(lost).contains(answer.status()), ofAll::toString));
    return done.getFirst();
  }

  @Test
  void putIfMatch_ofManyConnections_isDoneOncePerTag() throws Exception {
    List<String> tags = tags(call(ofEachKey(key -> put(key))));
    for (int round = 0; round < ROUNDS; round++) {
      List<String> known = tags;
      List<List<PipelinedRest.Answer>> answers =
          race(ofEachKey(key -> put(key, "If-Match: " + known.get(key))));
      List<String> next = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        next.add(winner(answers, key, FAILED).tag());
        assertNotEquals(known.get(key), next.get(key), "the tag of another version");
      }
      assertEquals(next, tags(call(ofEachKey(key -> get(key)))), "the winners' versions stay");
      tags = next;
    }
  }

  @Test
  void putIfNoneMatch_ofManyConnections_createsOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      List<List<PipelinedRest.Answer>> answers =
          race(ofEachKey(key -> put(key, "If-None-Match: *")));
      List<String> created = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        created.add(winner(answers, key, FAILED).tag());
      }
      assertEquals(created, tags(call(ofEachKey(key -> get(key)))));
      call(ofEachKey(key -> delete(key)))
          .forEach(answer -> assertEquals(DONE, answer.status(), answer::toString));
    }
  }

  @Test
  void putAndDeleteIfMatch_ofManyConnections_areNotBothDone() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      List<String> tags = tags(call(ofEachKey(key -> put(key))));
      List<List<PipelinedRest.Answer>> answers =
          race(connection ->
              ofEachKey(key -> {
                String condition = "If-Match: " + tags.get(key);
                return connection % 2 == 0 ? put(key, condition) : delete(key, condition);
              }));
      for (int key = 0; key < KEYS; key++) {
        winner(answers, key, FAILED, ABSENT);
      }
    }
  }

  /** Only a put with If-None-Match creates, so that each removal is of another creation. */
  @Test
  void putIfMatchAny_whileOthersRemove_neverCreates() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      List<List<PipelinedRest.Answer>> answers =
          race(connection ->
              ofEachKey(_ ->
                  switch (connection) {
                    case 0 -> put(0, "If-None-Match: *");
                    case 1 -> delete(0);
                    default -> put(0, "If-Match: *");
                  }));
      boolean isLeft = call(List.of(delete(0))).getFirst().status() == DONE;
      assertEquals(done(answers.get(0)), done(answers.get(1)) + (isLeft ? 1 : 0), "creations");
    }
  }

  private static long done(List<PipelinedRest.Answer> answers) {
    return answers.stream().filter(answer -> answer.status() == DONE).count();
  }

  @Test
  void putIfUnmodifiedSince_ofManyConnections_isDoneOnce() throws Exception {
    for (int round = 0; round < TIMED_ROUNDS; round++) {
      call(ofEachKey(key -> put(key, MORTAL)));
      String second = lastModified(KEYS - 1);
      awaitSecondAfter(second);

      List<List<PipelinedRest.Answer>> answers =
          race(ofEachKey(key -> put(key, MORTAL, "If-Unmodified-Since: " + second)));
      for (int key = 0; key < KEYS; key++) {
        winner(answers, key, FAILED);
      }
    }
  }

  private void awaitSecondAfter(String second) throws Exception {
    Await.until(
        "the next second",
        () -> {
          call(List.of(put(KEYS, MORTAL)));
          return !lastModified(KEYS).equals(second);
        });
  }

  private String lastModified(int key) throws Exception {
    return call(List.of(get(key))).getFirst().headers().getOrDefault("last-modified", "none");
  }
}
