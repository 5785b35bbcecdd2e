package dev.isogrid.mapreduce;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.mapreduce.Control.Again;
import dev.isogrid.mapreduce.Control.Attempt;
import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends parts of the pairs of one attempt to the nodes of their partitions, few at a time. For one
 * thread.
 */
final class PartDelivery {
  /** The most parts of a worker in flight, which makes it wait for slow nodes. */
  private static final int PARTS_MAX = 4;

  /** The size below which parts for a node are sent together. */
  private static final int TOGETHER_BYTES = 1 << 16;

  /** The interval in which a waiting worker checks whether it must still wait. */
  private static final long LOOK_MILLIS = 50;

  private final NodeTask task;
  private final AttemptScheduler attempts;
  private final Round round;
  private final long attempt;
  private final boolean isFirst;
  private final @Nullable PairCache cache;
  private final ArrayDeque<Delivery> onTheirWay = new ArrayDeque<>();

  /** The small parts that wait for more, by the numbers of their nodes. */
  private final Map<Integer, List<Waiting>> waiting = new HashMap<>();

  /** The result for parts that no node reads from a cache later. */
  private static final CompletableFuture<?> PUT = CompletableFuture.completedFuture(null);

  @SuppressWarnings("ArrayRecordComponent") // not compared
  private record Waiting(int partition, byte[] bytes) {}

  /**
   * A message that was sent, with a part of each of some partitions of a node.
   *
   * @param put completed when another node could read it from a cache after a failure of the
   *     receiver
   */
  private record Delivery(
      List<Integer> partitions,
      ByteString message,
      CompletableFuture<?> put,
      CompletableFuture<ByteString> answer) {}

  /**
   * Begins.
   *
   * @param isFirst whether the pairs are sent for the first time: then pairs for other nodes are
   *     kept, and go through the cache that the user chose
   */
  PartDelivery(NodeTask task, Round round, long attempt, boolean isFirst) {
    this.task = task;
    this.attempts = task.attempts();
    this.round = round;
    this.attempt = attempt;
    this.isFirst = isFirst;
    this.cache = isFirst ? task.pairCache() : null;
    if (isFirst) {
      task.sent().begin(round, attempt);
    }
  }

  /** Sends the pairs of an earlier attempt of this node again, to the partitions of a round. */
  static Attempt again(NodeTask task, Round round, long number, Again what)
      throws InterruptedException {
    PartDelivery delivery = new PartDelivery(task, round, number, false);
    try {
      task.sent()
          .forEach(
              what.attempt(),
              round,
              (partition, array, from) -> {
                delivery.attempts.checkGoesOn();
                PairBytes part = delivery.begin(partition, array.length - from);
                part.write(array, from, array.length - from);
                delivery.deliver(partition, part);
              });
      delivery.finish();
    } finally {
      delivery.abandon();
    }
    return new Attempt(round.number(), number, what.attempt(), what.segments(), true);
  }

  /** Begins a part; the caller appends its pairs. */
  PairBytes begin(int partition, int pairsBytes) {
    return cache == null ? message(partition, pairsBytes) : new PairBytes(pairsBytes);
  }

  private PairBytes message(int partition, int restBytes) {
    PairBytes message = new PairBytes(DataHead.BYTES + restBytes);
    head(partition, restBytes).write(message);
    return message;
  }

  private DataHead head(int partition, int restBytes) {
    int number = round.partitionNodes()[partition];
    return new DataHead(task.key().task(), number, round.number(), partition, attempt, restBytes);
  }

  /** Hands a part over, which is sent at once or soon. Blocks while too many are in flight. */
  void deliver(int partition, PairBytes part) throws InterruptedException {
    byte[] bytes = part.take();
    if (cache != null) {
      put(cache, partition, bytes);
    } else if (round.partitionNodes()[partition] == task.key().number()) {
      task.partitions().add(DataHead.read(bytes, 0), bytes);
    } else {
      keep(partition, bytes);
      deliverSoon(round.partitionNodes()[partition], new Waiting(partition, bytes));
    }
  }

  /** Sends a part to another node, with others if it is small. */
  private void deliverSoon(int number, Waiting part) throws InterruptedException {
    if (part.bytes.length >= TOGETHER_BYTES) {
      send(List.of(part));
      return;
    }
    List<Waiting> parts = waiting.computeIfAbsent(number, _ -> new ArrayList<>());
    parts.add(part);
    if (lengthOf(parts) >= TOGETHER_BYTES) {
      waiting.remove(number);
      send(parts);
    }
  }

  private static int lengthOf(List<Waiting> parts) {
    return parts.stream().mapToInt(part -> part.bytes.length).sum();
  }

  /** Sends parts for one node, without those that are no longer needed. */
  private void send(List<Waiting> parts) throws InterruptedException {
    awaitOnTheirWay(PARTS_MAX - 1);
    List<Waiting> wanted =
        parts.stream().filter(each -> attempts.isWanted(round, each.partition)).toList();
    if (wanted.isEmpty()) {
      return;
    }
    ByteString message = ByteString.of(together(wanted));
    List<Integer> partitions = wanted.stream().map(Waiting::partition).toList();
    onTheirWay.add(new Delivery(partitions, message, PUT, send(partitions, message)));
  }

  private static byte[] together(List<Waiting> parts) {
    if (parts.size() == 1) {
      return parts.getFirst().bytes;
    }
    PairBytes together = new PairBytes(lengthOf(parts));
    parts.forEach(part -> together.write(part.bytes, 0, part.bytes.length));
    return together.take();
  }

  private void keep(int partition, byte[] message) {
    if (isFirst && task.isKept(round, partition)) {
      task.sent().add(attempt, partition, message);
    }
  }

  private CompletableFuture<ByteString> send(List<Integer> partitions, ByteString message) {
    return task.send(round, round.partitionNodes()[partitions.getFirst()], message);
  }

  /** Puts a part into the cache; its node receives the reference. */
  private void put(PairCache target, int partition, byte[] pairs) throws InterruptedException {
    Bytes value = PairEntry.value(pairs);
    PairEntry.Part part = new PairEntry.Part(attempt, target.nextPart(), pairs.length);
    NodeId reader = NodeTask.node(round, round.partitionNodes()[partition]);
    PairEntry entry = target.entry(reader, part, value);
    PairBytes reference = message(partition, Long.BYTES + entry.key().length());
    entry.write(reference);
    byte[] bytes = reference.take();
    keep(partition, bytes);
    awaitOnTheirWay(PARTS_MAX - 1);
    ByteString message = ByteString.of(bytes);
    boolean isKept = task.isKept(round, partition);
    CompletableFuture<PairEntry> put =
        target.put(entry, value, () -> isKept || attempts.isWanted(round, partition));
    List<Integer> partitions = List.of(partition);
    CompletableFuture<ByteString> sent = put.thenCompose(_ -> send(partitions, message));
    onTheirWay.add(new Delivery(partitions, message, isKept ? put : PUT, sent));
  }

  /** Waits until all parts have reached their nodes. */
  void finish() throws InterruptedException {
    for (List<Waiting> parts : waiting.values()) {
      send(parts);
    }
    awaitOnTheirWay(0);
  }

  /** Ignores all further answers. */
  void abandon() {
    onTheirWay.forEach(delivery -> delivery.answer.cancel(false));
    onTheirWay.clear();
    waiting.clear();
  }

  private void awaitOnTheirWay(int countMax) throws InterruptedException {
    if (onTheirWay.size() <= countMax) {
      return;
    }
    long begin = task.nanoTime();
    while (onTheirWay.size() > countMax) {
      await(onTheirWay.remove());
    }
    task.counters().sendWaitNanos.add(task.nanoTime() - begin);
  }

  private void await(Delivery delivery) throws InterruptedException {
    Delivery now = delivery;
    while (true) {
      if (!isAnswered(now)) {
        return;
      }
      NodeCallException failure = failure(now);
      if (failure == null) {
        return;
      }
      Throwable cause = failure.getCause();
      switch (failure.reason()) {
        case BUSY -> {
          attempts.pause();
          now = new Delivery(now.partitions, now.message, PUT, send(now.partitions, now.message));
        }
        case NO_ANSWER -> {
          now.partitions.forEach(partition -> attempts.unreachable(round, partition));
          return;
        }
        case FAILED -> {
          if (cause instanceof NoSuchTaskException) {
            now.partitions.forEach(partition -> attempts.unreachable(round, partition));
            return;
          }
          throw new IllegalStateException("pairs were not taken: " + cause, cause);
        }
      }
    }
  }

  /**
   * Waits for an answer; returns false if it is no longer needed, as after the node was given up.
   */
  private boolean isAnswered(Delivery delivery) throws InterruptedException {
    while (!delivery.put.isDone() || isWanted(delivery)) {
      try {
        delivery.answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException notYet) {
        attempts.checkGoesOn();
      } catch (ExecutionException failed) {
        return true;
      }
    }
    if (delivery.put.isCompletedExceptionally()) {
      return true; // which the answer tells
    }
    delivery.answer.cancel(false);
    return false;
  }

  private boolean isWanted(Delivery delivery) {
    return delivery.partitions.stream().anyMatch(partition -> attempts.isWanted(round, partition));
  }

  private static @Nullable NodeCallException failure(Delivery delivery)
      throws InterruptedException {
    try {
      delivery.answer.get();
      return null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NodeCallException failure) {
        return failure;
      }
      if (e.getCause() instanceof PairCacheException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
