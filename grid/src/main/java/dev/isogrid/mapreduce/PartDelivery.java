package dev.isogrid.mapreduce;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.mapreduce.Control.Again;
import dev.isogrid.mapreduce.Control.Attempt;
import dev.isogrid.mapreduce.Control.Round;
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
  private final boolean isKept;
  private final ArrayDeque<Delivery> onTheirWay = new ArrayDeque<>();

  /** A part that was sent. */
  private record Delivery(
      int partition, ByteString message, CompletableFuture<ByteString> answer) {}

  /**
   * Begins.
   *
   * @param isKept whether what goes to other nodes is to be kept, to be sent again
   */
  PartDelivery(NodeTask task, Round round, long attempt, boolean isKept) {
    this.task = task;
    this.round = round;
    this.attempt = attempt;
    this.isKept = isKept;
    if (isKept) {
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
                PairBytes message = delivery.begin(partition, array.length - from);
                message.write(array, from, array.length - from);
                delivery.deliver(partition, message);
              });
      delivery.finish();
    } finally {
      delivery.abandon();
    }
    return new Attempt(round.number(), number, what.attempt(), what.segments(), true);
  }

  /** The beginning of a part, to which its pairs are to be appended. */
  PairBytes begin(int partition, int pairsBytes) {
    PairBytes message = new PairBytes(DataHead.BYTES + pairsBytes);
    int number = round.partitionNodes()[partition];
    new DataHead(task.key().task(), number, round.number(), partition, attempt).write(message);
    return message;
  }

  /** Hands a part over, at once or soon. Blocks while too many are on their way. */
  void deliver(int partition, PairBytes part) throws InterruptedException {
    byte[] message = part.take();
    int number = round.partitionNodes()[partition];
    if (number == task.key().number()) {
      task.add(round.number(), partition, attempt, message, DataHead.BYTES);
      return;
    }
    if (isKept && task.isKept(round, partition)) {
      task.sent().add(attempt, partition, message);
    }
    awaitOnTheirWay(PARTS_MAX - 1);
    if (task.isWanted(round, partition)) {
      ByteString bytes = ByteString.of(message);
      onTheirWay.add(new Delivery(partition, bytes, task.send(round, number, bytes)));
    }
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
          int number = round.partitionNodes()[now.partition];
          now = new Delivery(now.partition, now.message, task.send(round, number, now.message));
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
    while (task.isWanted(round, delivery.partition)) {
      try {
        delivery.answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException notYet) {
        task.checkGoesOn();
      } catch (ExecutionException failed) {
        return true;
      }
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
      throw new IllegalStateException(e.getCause());
    }
  }
}
