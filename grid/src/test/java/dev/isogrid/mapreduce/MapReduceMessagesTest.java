package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.MapReduceInput;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.engine.FaultyCalls;
import dev.isogrid.engine.FaultyCalls.Call;
import dev.isogrid.engine.FaultyCalls.Fate;
import dev.isogrid.engine.MovingSegments;
import dev.isogrid.mapreduce.Control.Alive;
import dev.isogrid.mapreduce.Control.Part;
import dev.isogrid.store.ObjectTables;
import dev.isogrid.topology.NodeId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The messages between two nodes for a task of the first one, and the results of lost messages.
 * Their clock stands still unless a test moves it, so that a worker maps all its segments in one
 * attempt.
 */
class MapReduceMessagesTest {
  private static final NodeId FIRST = new NodeId(0, 1);
  private static final NodeId SECOND = new NodeId(0, 2);

  /** The second node's number in a task, until it is given up. */
  private static final int SECOND_NUMBER = 2;

  /** Makes words so long that a partition's result takes several parts. */
  private static final int PADDING = 100_000;

  /** The time-out of a node for a part of a result. */
  private static final long PART_MILLIS = 30_000;

  /** A time after which nodes are checked. */
  private static final long PING_MILLIS = 3_000;

  private final FakeEnv world = new FakeEnv();
  private final FaultyCalls network =
      new FaultyCalls(1, new FaultyCalls.Odds(0, 0, 0, 0), this::fate);
  private final List<MapReduceService> services = new ArrayList<>();
  private final Map<String, Long> counts;
  private final MovingSegments cache;

  /** The requests of the first node to the second one. */
  private final Queue<Call> asked = new ConcurrentLinkedQueue<>();

  private volatile Rule rule = (_, _) -> Fate.USUAL;

  /** The fate of the first node's requests to the second one, and of the answers. */
  private interface Rule {
    Fate fate(Control message, boolean isAnswer);
  }

  MapReduceMessagesTest() {
    Map<Integer, String> texts = new HashMap<>();
    Random random = new Random(1);
    counts = WordCount.fill(texts, 100, () -> WordCount.text(random, 5, 100));
    List<NodeId> nodes = List.of(FIRST, SECOND);
    cache = new MovingSegments(nodes, 16, 2, new HashMap<>(texts), world.env(), () -> {});
    for (int i = 0; i < nodes.size(); i++) {
      MapSource<Object, Object> source =
          new MapSource<>(cache.engine(i), key -> key, ObjectTables::hash, k -> k, v -> v, false);
      services.add(new MapReduceService(network.add(nodes.get(i)), world.env(), _ -> source));
    }
  }

  @AfterEach
  void close() throws Exception {
    services.forEach(MapReduceService::close);
    world.runTasks();
    cache.close();
    network.close();
    TaskLeftovers.assertNone();
  }

  private Fate fate(Call call, boolean isAnswer) {
    if (!call.from().equals(FIRST)) {
      return Fate.USUAL;
    }
    if (!isAnswer) {
      asked.add(call);
    }
    return call.service() == MapReduceService.CONTROL
        ? rule.fate(control(call), isAnswer)
        : Fate.USUAL;
  }

  private static Control control(Call call) {
    try {
      return ControlCodec.message(call.request(), ObjectReader.ofAllPackages());
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** Counts the words, and checks the counts. */
  private MapReduceStats count(int padding) {
    Map<String, Long> expected = new HashMap<>();
    counts.forEach((word, count) -> expected.put(word + "-".repeat(padding), count));
    MapReduceJob<String, Long> job =
        MapReduceInput.of(services.getFirst()::start, SimulatedMapReduce.named())
            .mappedWith(new WordCount.Words(padding))
            .combinedWith(Long::sum)
            .start();
    assertEquals(expected, job.result());
    return job.stats();
  }

  // ---- parts of the result

  @ParameterizedTest
  @CsvSource({"0, false", "0, true", "1, false", "1, true"})
  void partThatDoesNotComeInTime_isAskedForAgain(int index, boolean isAnswerLost) {
    AtomicBoolean isLost = new AtomicBoolean();
    rule =
        (message, isAnswer) -> {
          boolean isOne = message instanceof Part part && part.index() == index;
          if (isOne && isAnswer == isAnswerLost && isLost.compareAndSet(false, true)) {
            world.moveClock(PART_MILLIS);
            return Fate.LOST;
          }
          return Fate.USUAL;
        };
    MapReduceStats stats = count(PADDING);
    assertTrue(isLost.get());
    assertEquals(0, stats.partitionsLost(), stats::toString);
    assertEquals(
        List.of("1 parts of the result did not come in time and were asked for again"),
        stats.losses());
  }

  @Test
  void partThatFailsBeforeItsTimeIsOver_hasItsNodeGivenUp() {
    AtomicBoolean isLost = new AtomicBoolean();
    rule =
        (message, _) ->
            message instanceof Part && isLost.compareAndSet(false, true) ? Fate.LOST : Fate.USUAL;
    MapReduceStats stats = count(PADDING);
    assertTrue(stats.partitionsLost() > 0, stats::toString);
    String losses = stats.losses().toString();
    assertTrue(losses.contains("was given up") && !losses.contains("in time"), losses);
  }

  @Test
  void partOfAnEarlierRound_isNoPartOfThisOne() {
    AtomicBoolean isReleased = new AtomicBoolean();
    rule =
        (message, isAnswer) -> {
          if (message instanceof Alive && message.key().number() == SECOND_NUMBER) {
            return Fate.LOST;
          }
          if (!(message instanceof Part part) || !isAnswer) {
            return Fate.USUAL;
          }
          if (part.round() == 1) {
            world.moveClock(PING_MILLIS);
            return Fate.HELD;
          }
          network.release();
          isReleased.set(true);
          return Fate.USUAL;
        };
    MapReduceStats stats = count(PADDING);
    assertTrue(isReleased.get());
    assertTrue(stats.losses().toString().contains("was given up"), stats::toString);
  }

  // ---- pairs

  @Test
  void smallPartsOfAnAttempt_goInOneMessage() {
    count(0);
    Set<Long> attempts = new HashSet<>();
    for (Call call : asked) {
      if (call.service() == MapReduceService.DATA) {
        byte[] message = call.request().toByteArray();
        DataHead first = DataHead.read(message, 0);
        assertTrue(message.length > DataHead.BYTES + first.length(), "a part alone: " + first);
        assertTrue(attempts.add(first.attempt()), "a second message: " + first);
      }
    }
    assertFalse(attempts.isEmpty());
  }
}
