package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceNodeStats;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the node that started a task to the others; {@link ControlCodec} has their form.
 */
@SuppressWarnings("ArrayRecordComponent") // messages, which nobody compares
sealed interface Control {
  /**
   * The part of one node in a task. A node that was given up and takes part again has another
   * number.
   *
   * @param task the task
   * @param number of the node in it
   */
  record TaskKey(UUID task, int number) {}

  /** The task and node of the message. */
  TaskKey key();

  /** Take part. */
  record Open(TaskKey key, TaskSpec spec) implements Control {}

  /**
   * The assignment of partitions in a round, which is one attempt to bring the pairs of all
   * segments to some partitions.
   *
   * @param partitionNodes for each partition the number of its node, or -1 if it is not in this
   *     round
   * @param nodes the nodes by their numbers, two longs each
   */
  record Round(int number, int[] partitionNodes, long[] nodes) {}

  /**
   * An attempt of an earlier round, whose pairs must be sent again to the partitions of this round.
   *
   * @param segments its segments, which must be mapped anew if its pairs are lost
   */
  record Again(long attempt, int[] segments) {}

  /**
   * The work of a step.
   *
   * @param segments the segments to map
   * @param again the attempts to send again
   */
  record Work(int[] segments, List<Again> again) {}

  /**
   * Continue, and report the news.
   *
   * @param counting attempts that count from now on
   * @param dropped attempts that don't count
   * @param lost partitions that need no pairs in this round
   */
  record Step(TaskKey key, Round round, Work work, long[] counting, long[] dropped, int[] lost)
      implements Control {}

  /**
   * Reduce, and return a part of a partition's result; see {@link PartitionStore#part}.
   *
   * @param index of the part, from 0 on: the next one, or a repetition of the last one
   * @param counting all attempts that count, with the first part; else none
   */
  record Part(TaskKey key, int round, int partition, int index, long[] counting)
      implements Control {}

  /** The node that started the task is alive, and still needs the result. */
  record Alive(TaskKey key) implements Control {}

  /** The task is over. */
  record Close(TaskKey key) implements Control {}

  /**
   * An attempt that ended.
   *
   * @param origin the attempt whose pairs it sent again, or its own number if it mapped
   * @param isDone whether all its pairs have reached their nodes; else its segments must be mapped
   *     again
   */
  record Attempt(int round, long number, long origin, int[] segments, boolean isDone) {
    /** Whether it only sent pairs again. */
    boolean isAgain() {
      return origin != number;
    }
  }

  /**
   * The news of a node since its last answer.
   *
   * @param notServed segments that this node does not own now
   * @param unreachable partitions whose node did not accept their pairs
   * @param failure of a function of the user, or null
   */
  record Answer(
      List<Attempt> attempts,
      int[] notServed,
      int[] unreachable,
      @Nullable Throwable failure,
      MapReduceNodeStats stats) {}
}
