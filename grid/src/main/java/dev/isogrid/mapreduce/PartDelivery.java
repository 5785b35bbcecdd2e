package dev.isogrid.mapreduce;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.mapreduce.Control.Again;
import dev.isogrid.mapreduce.Control.Attempt;
import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.store.Bytes;
import dev.isogrid.topology.NodeId;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Brings parts of the pairs of one attempt to the nodes of their partitions, few at a time. For one
 * thread.
 */
final class PartDelivery {
  /** Parts that a worker may have on their way; what makes it wait for slow nodes. */
  private static final int PARTS_MAX = 4;

  /** How often a worker that waits looks whether it still has to. */
  private static final long LOOK_MILLIS = 50;

  private final NodeTask task;
  private final Round round;
  private final long attempt;
  private final boolean isFirst;
  private final @Nullable PairCache cache;
  private final ArrayDeque<Delivery> onTheirWay = new ArrayDeque<>();

  /** For parts that nobody can read from a cache later. */
  private static final CompletableFuture<?> PUT = CompletableFuture.completedFuture(null);

  /**
   * A part that was sent.
   *
   * @param put completed when another node could read it from a cache, should its own one fail
   */
  private record Delivery(
      int partition,
      ByteString message,
      CompletableFuture<?> put,
      CompletableFuture<ByteString> answer) {}

  /**
   * Begins.
   *
   * @param isFirst whether the pairs were not sent before: what goes to other nodes is kept then,
   *     and goes by way of the cache that the user chose
   */
  PartDelivery(NodeTask task, Round round, long attempt, boolean isFirst) {
    this.task = task;
    this.round = round;
    this.attempt = attempt;
    this.isFirst = isFirst;
    this.cache = isFirst ? task.pairCache() : null;
    if (isFirst) {
      task.sent().begin(round, attempt);
    }
  }

  /** Sends what an earlier attempt of this node sent to the partitions of a round. */
  static Attempt again(NodeTask task, Round round, long number, Again what)
      throws InterruptedException {
    PartDelivery delivery = new PartDelivery(task, round, number, false);
    try {
      task.sent()
          .forEach(
              what.attempt(),
              round,
              (partition, array, from) -> {
                task.checkGoesOn();
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

  /** The beginning of a part, to which its pairs are to be appended. */
  PairBytes begin(int partition, int pairsBytes) {
    return cache == null ? message(partition, pairsBytes) : new PairBytes(pairsBytes);
  }

  private PairBytes message(int partition, int restBytes) {
    PairBytes message = new PairBytes(DataHead.BYTES + restBytes);
    head(partition).write(message);
    return message;
  }

  private DataHead head(int partition) {
    int number = round.partitionNodes()[partition];
    return new DataHead(task.key().task(), number, round.number(), partition, attempt);
  }

  /** Hands a part over, at once or soon. Blocks while too many are on their way. */
  void deliver(int partition, PairBytes part) throws InterruptedException {
    byte[] bytes = part.take();
    if (cache != null) {
      put(cache, partition, bytes);
    } else if (round.partitionNodes()[partition] == task.key().number()) {
      task.partitions().add(head(partition), bytes);
    } else {
      keep(partition, bytes);
      awaitOnTheirWay(PARTS_MAX - 1);
      if (task.isWanted(round, partition)) {
        ByteString message = ByteString.of(bytes);
        onTheirWay.add(new Delivery(partition, message, PUT, send(partition, message)));
      }
    }
  }

  private void keep(int partition, byte[] message) {
    if (isFirst && task.isKept(round, partition)) {
      task.sent().add(attempt, partition, message);
    }
  }

  private CompletableFuture<ByteString> send(int partition, ByteString message) {
    return task.send(round, round.partitionNodes()[partition], message);
  }

  /** Puts a part into the cache for them; its node is sent where it is. */
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
        target.put(entry, value, () -> isKept || task.isWanted(round, partition));
    CompletableFuture<ByteString> sent = put.thenCompose(_ -> send(partition, message));
    onTheirWay.add(new Delivery(partition, message, isKept ? put : PUT, sent));
  }

  /** Waits until all is where it belongs. */
  void finish() throws InterruptedException {
    awaitOnTheirWay(0);
  }

  /** Wants no answers any more. */
  void abandon() {
    onTheirWay.forEach(delivery -> delivery.answer.cancel(false));
    onTheirWay.clear();
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
          task.pause();
          now = new Delivery(now.partition, now.message, PUT, send(now.partition, now.message));
        }
        case NO_ANSWER -> {
          task.unreachable(round, now.partition);
          return;
        }
        case FAILED -> {
          if (cause instanceof NoSuchTaskException) {
            task.unreachable(round, now.partition);
            return;
          }
          throw new IllegalStateException("pairs were not taken: " + cause, cause);
        }
      }
    }
  }

  /** Waits for an answer; false if nobody wants it any more, as when the node is given up. */
  private boolean isAnswered(Delivery delivery) throws InterruptedException {
    while (!delivery.put.isDone() || task.isWanted(round, delivery.partition)) {
      try {
        delivery.answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException notYet) {
        task.checkGoesOn();
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
