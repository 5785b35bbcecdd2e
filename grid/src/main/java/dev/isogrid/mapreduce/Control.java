package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceNodeStats;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the node that started a task tells the others, and is told; {@link ControlCodec} has it. */
@SuppressWarnings("ArrayRecordComponent") // messages, which nobody compares
sealed interface Control {
  /**
   * A task on one node. A node that was given up and takes part again has another number.
   *
   * @param task the task
   * @param number of the node in it
   */
  record TaskKey(UUID task, int number) {}

  /** Which task it is about. */
  TaskKey key();

  /** Take part. */
  record Open(TaskKey key, TaskSpec spec) implements Control {}

  /**
   * Who reduces what in a round: one attempt to bring pairs of all segments to some partitions.
   *
   * @param partitionNodes for each partition the number of its node, or -1 if it is not in this
   *     round
   * @param nodes the nodes by their numbers, two longs each
   */
  record Round(int number, int[] partitionNodes, long[] nodes) {}

  /**
   * An attempt of an earlier round, whose pairs are to be sent again to the partitions of this one.
   *
   * @param segments which it mapped; they are to be mapped anew if its pairs are not there any more
   */
  record Again(long attempt, int[] segments) {}

  /**
   * What is to be done.
   *
   * @param segments to be mapped
   * @param again attempts to be sent again
   */
  record Work(int[] segments, List<Again> again) {}

  /**
   * Go on, and tell what happened.
   *
   * @param counting attempts that count now
   * @param dropped attempts that don't
   * @param lost partitions that nobody needs to send to in this round
   */
  record Step(TaskKey key, Round round, Work work, long[] counting, long[] dropped, int[] lost)
      implements Control {}

  /**
   * Reduce, and give a part of a partition's result; see {@link PartitionStore#part}.
   *
   * @param index of the part, from 0 on: the next one, or the last one again
   * @param counting all attempts that count, with the first part; else none
   */
  record Part(TaskKey key, int round, int partition, int index, long[] counting)
      implements Control {}

  /** Who started it is alive, and still wants it. */
  record Alive(TaskKey key) implements Control {}

  /** It is over. */
  record Close(TaskKey key) implements Control {}

  /**
   * An attempt that ended.
   *
   * @param origin the attempt of which it sent the pairs again, or its own number if it mapped
   * @param isDone whether all its pairs are where they belong; else its segments are to be mapped
   *     again
   */
  record Attempt(int round, long number, long origin, int[] segments, boolean isDone) {
    /** Whether it mapped nothing. */
    boolean isAgain() {
      return origin != number;
    }
  }

  /**
   * What a node did since it was asked before.
   *
   * @param notServed segments that this node does not answer for now
   * @param unreachable partitions whose node did not take their pairs
   * @param failure of a function of the user, or null
   */
  record Answer(
      List<Attempt> attempts,
      int[] notServed,
      int[] unreachable,
      @Nullable Throwable failure,
      MapReduceNodeStats stats) {}
}
