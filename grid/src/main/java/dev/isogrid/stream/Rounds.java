package dev.isogrid.stream;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.store.PackedEntries;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Queries the nodes that own some segments until all segments are answered. Each node has as many
 * questions at a time as {@link NodePace} says, for different segments, and gets the next one after
 * an answer was taken. So this holds at most its credit per node beside the current answer. For one
 * thread.
 */
final class Rounds implements AutoCloseable {
  /*
   * A segment is in one question at most, and counts as answered when the answer is taken. So each
   * is answered once, whatever nodes come and go: the segments of a question that fails, or is
   * answered in part, are asked for anew.
   *
   * Entries themselves need no other node where this one has all that is committed in a segment:
   * as its primary, or by a copy that is settled. Such segments are near: the thread that takes the
   * answers reads them while it would wait for others. A near segment that can't be read as a whole
   * any more, since it was written to or has moved, is asked for like all others.
   */
  /** The size of a page of near entries that must be copied. */
  private static final int NEAR_PAGE_BYTES = NodePace.ENTRIES_PAGE_BYTES_MAX;

  /** The room that is kept from one such page to the next: entries take more than their bytes. */
  private static final int NEAR_ROOM_MAX = 2 * NEAR_PAGE_BYTES;

  private record Asked(
      NodeId node,
      BitSet segments,
      int expectedBytes,
      CompletableFuture<StreamAnswer> answer,
      long atNanos) {}

  private record Reply(
      Asked question, @Nullable StreamAnswer answer, @Nullable Throwable failure) {}

  private final Streams streams;
  private final SegmentEvaluator<?, ?, ?, ?> evaluator;
  private final CacheEngine<?, ?> engine;
  private final StreamControls controls;
  private final StreamNode self;
  private final byte[] pipeline;

  /** Whether answers are entries, which this thread can read as well as another. */
  private final boolean isOfEntries;

  /** The segments that are not completely answered. */
  private final BitSet pending;

  /** Those of them that are read here, none of which is in a question. */
  private final BitSet near = new BitSet();

  /**
   * The entries of the current near page. Each one takes the room of that before: a new array is
   * zeroed, and far from the processor.
   */
  private final PackedEntries nearRoom = new PackedEntries();

  private final Map<Integer, Question.Cursor> cursors = new HashMap<>();
  private final List<Asked> asked = new ArrayList<>();
  private final Map<NodeId, NodePace> paces = new HashMap<>();
  private final LinkedBlockingQueue<Reply> replies = new LinkedBlockingQueue<>();

  /** Whether something has happened since which there may be a question to send. */
  private boolean isAskDue = true;

  private long doneBytes;
  private long doneSegments;
  private long progressNanos;
  private @Nullable Throwable lastFailure;

  /**
   * Begins without a question.
   *
   * @param segments the wanted segments; taken
   */
  Rounds(
      Streams streams,
      SegmentEvaluator<?, ?, ?, ?> evaluator,
      BitSet segments,
      StreamControls controls) {
    this.streams = streams;
    this.evaluator = evaluator;
    this.engine = evaluator.cache.engine();
    this.controls = controls;
    this.self = streams.node(evaluator.pipeline);
    this.pipeline = engine.isClustered() ? evaluator.pipeline.toBytes() : new byte[0];
    this.isOfEntries = engine.isClustered() && evaluator.pipeline.isRaw();
    this.pending = segments;
    this.progressNanos = self.clock().nanoTime();
    if (isOfEntries) {
      segments.stream().filter(segment -> evaluator.since(segment) >= 0).forEach(near::set);
    }
  }

  /**
   * Waits for the next answer; then sends the next question.
   *
   * @return an answer, or null if every segment was answered
   */
  @Nullable StreamAnswer next() {
    progressNanos = self.clock().nanoTime(); // what the caller did meanwhile is not their silence
    while (true) {
      ask();
      if (pending.isEmpty()) {
        return null;
      }
      checkInterrupt();
      Reply reply = replies.poll();
      StreamAnswer here = reply == null ? readNear() : null;
      if (reply == null && here == null) {
        reply = poll();
      }
      StreamAnswer answer = reply == null ? here : answer(reply);
      NodeId node = reply == null ? self.names().self() : reply.question.node;
      if (answer == null) {
        checkProgress();
      } else if (take(node, answer, reply == null ? null : reply.question)) {
        ask();
        return answer;
      }
    }
  }

  /**
   * Takes over the progress of a node; returns whether there was any.
   *
   * @param question that the node answered; null if this thread read the answer
   */
  private boolean take(NodeId node, StreamAnswer answer, @Nullable Asked question) {
    pending.andNot(answer.done);
    near.andNot(answer.done);
    near.andNot(answer.refused);
    answer.done.stream().forEach(cursors::remove);
    if (!controls.isRehashAware) {
      pending.andNot(answer.refused);
    }
    byte[] cursor = answer.cursor;
    if (cursor != null) {
      cursors.put(answer.cursorSegment, new Question.Cursor(cursor));
    }
    boolean isFurther = !answer.done.isEmpty() || cursor != null;
    if (isFurther) {
      progressNanos = self.clock().nanoTime();
      int bytes = answer.packed.sizeBytes();
      if (answer.entries == null) {
        doneBytes += bytes;
        doneSegments += answer.done.cardinality();
      }
      if (question != null) {
        pace(node).answered(bytes, progressNanos - question.atNanos);
      }
    }
    isAskDue |= asked.isEmpty();
    if (!answer.refused.isEmpty()) {
      pace(node).pause();
      isAskDue = true;
    }
    return isFurther;
  }

  /** Whether what a node has is read by this thread, instead of being asked for. */
  private boolean isNear(NodeId node) {
    return isOfEntries && node.equals(self.names().self());
  }

  private NodePace pace(NodeId node) {
    return paces.computeIfAbsent(node, _ -> new NodePace(self.clock(), isOfEntries));
  }

  private void checkInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted(null);
    }
  }

  private RetryableGridException interrupted(@Nullable Throwable cause) {
    return new RetryableGridException(
        "interrupted while waiting for a stream: cache=" + engine.name(), cause);
  }

  private @Nullable Reply poll() {
    isAskDue = true; // for the pauses that end meanwhile
    try {
      return replies.poll(NodePace.PAUSE_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
  }

  /** The answer of a reply; null if the question has failed. */
  private @Nullable StreamAnswer answer(Reply reply) {
    Asked question = reply.question;
    isAskDue = true;
    asked.remove(question);
    pace(question.node).ended(question.expectedBytes);
    if (reply.answer == null) {
      failed(question.node, reply.failure);
    }
    return reply.answer;
  }

  private void failed(NodeId node, @Nullable Throwable thrown) {
    Throwable failure =
        thrown instanceof CompletionException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : thrown;
    boolean isOfCall =
        failure instanceof NodeCallException call
            && call.reason() != NodeCallException.Reason.FAILED;
    Throwable cause =
        failure instanceof NodeCallException call && !isOfCall ? call.getCause() : failure;
    if (!isOfCall && !(cause instanceof RetryableGridException)) {
      throw StreamFailures.unchecked(cause);
    }
    lastFailure = cause;
    pace(node).failed();
  }

  private String primaryName(int segment) {
    NodeId primary = primary(segment);
    return primary == null ? "none" : self.names().of(primary);
  }

  private void checkProgress() {
    engine.checkOpen();
    long silentNanos = self.clock().nanoTime() - progressNanos;
    if (silentNanos > TimeUnit.MILLISECONDS.toNanos(controls.timeoutMillis)) {
      int segment = pending.nextSetBit(0);
      throw new RetryableGridException(
          ("no answer to a stream: cache=%s, node=%s, segment=%d, segments=%d, waited=%d ms; try"
                  + " again")
              .formatted(
                  engine.name(),
                  primaryName(segment),
                  segment,
                  pending.cardinality(),
                  TimeUnit.NANOSECONDS.toMillis(silentNanos)),
          lastFailure);
    }
  }

  private @Nullable NodeId primary(int segment) {
    return engine.isClustered() ? engine.primary(segment) : self.names().self();
  }

  // ---- near segments

  /** Reads the next near segments; null if there are none, or they can't be read now. */
  private @Nullable StreamAnswer readNear() {
    if (near.isEmpty() || (controls.isSequentialOverNodes && !asked.isEmpty())) {
      return null;
    }
    nearRoom.clear(NEAR_ROOM_MAX);
    try {
      return evaluator.readHere(question(near, near.cardinality(), NEAR_PAGE_BYTES), nearRoom);
    } catch (RuntimeException | Error failure) {
      checkInterrupt(); // which ends a walk in any way
      near.clear();
      isAskDue = true;
      failed(self.names().self(), failure);
      return null;
    }
  }

  // ---- questions

  private void ask() {
    boolean isOneAtATime = controls.isSequentialOverNodes;
    if (!isAskDue || (isOneAtATime && !(asked.isEmpty() && near.isEmpty()))) {
      return;
    }
    isAskDue = false;
    for (Map.Entry<NodeId, BitSet> each : unasked().entrySet()) {
      if (isNear(each.getKey())) {
        near.or(each.getValue());
      } else {
        ask(each.getKey(), each.getValue(), isOneAtATime ? 1 : Integer.MAX_VALUE);
      }
      if (isOneAtATime) {
        return;
      }
    }
  }

  /** The segments without a question, by the nodes that can be queried now. */
  private Map<NodeId, BitSet> unasked() {
    BitSet rest = (BitSet) pending.clone();
    rest.andNot(near);
    asked.forEach(each -> rest.andNot(each.segments));
    Map<NodeId, BitSet> byNode = new LinkedHashMap<>();
    for (int segment = rest.nextSetBit(0); segment >= 0; segment = rest.nextSetBit(segment + 1)) {
      NodeId node = primary(segment);
      if (node != null) {
        byNode.computeIfAbsent(node, _ -> new BitSet()).set(segment);
      }
    }
    byNode.keySet().removeIf(node -> pace(node).free() == 0);
    return byNode;
  }

  /** Sends questions to a node about some segments, which are left without those of questions. */
  private void ask(NodeId node, BitSet segments, int questionsMax) {
    NodePace pace = pace(node);
    int sent = 0;
    for (int free = pace.free(); free > 0 && !segments.isEmpty() && sent < questionsMax; sent++) {
      Question question = question(segments, share(segments, free, pace), pace.pageBytes());
      Streams.Sent common = new Streams.Sent(pipeline, pace.timeoutMillis(controls.timeoutMillis));
      CompletableFuture<StreamAnswer> answer = streams.ask(node, evaluator, question, common);
      Asked open =
          new Asked(node, question.segments(), pace.begun(), answer, self.clock().nanoTime());
      asked.add(open);
      segments.andNot(question.segments());
      answer.whenComplete((result, failure) -> replies.add(new Reply(open, result, failure)));
      free = pace.free();
    }
  }

  /** The number of some segments for the next one of some questions that may be sent. */
  private int share(BitSet segments, int free, NodePace pace) {
    int left = segments.cardinality();
    if (!isOfEntries || doneSegments == 0) {
      return Math.ceilDiv(left, free);
    }
    long bytesOfEach = 1 + doneBytes / doneSegments;
    long pages = Math.ceilDiv(left * bytesOfEach, pace.pageBytes());
    int ofEach = Math.ceilDiv(left, Math.clamp(pages, 1, free));
    long enough = 1 + 2L * pace.pageBytes() / bytesOfEach; // the rest is left to other questions
    return (int) Math.min(ofEach, enough);
  }

  /**
   * A question about some segments, up to a number of them. It has one cursor, so at most one of
   * them is partially answered, which is the first one if there is any.
   */
  private Question question(BitSet segments, int segmentsMax, int pageBytes) {
    BitSet wanted = (BitSet) segments.clone();
    int begun = -1;
    for (int segment : cursors.keySet()) {
      if (wanted.get(segment) && begun < 0) {
        begun = segment;
      }
      wanted.clear(segment);
    }
    int room = Math.max(1, segmentsMax) - (begun < 0 ? 0 : 1);
    int end = wanted.nextSetBit(0);
    for (int taken = 0; taken < room && end >= 0; taken++) {
      end = wanted.nextSetBit(end + 1);
    }
    if (end >= 0) {
      wanted.clear(end, wanted.length());
    }
    if (begun >= 0) {
      wanted.set(begun);
    }
    Question.Cursor cursor = cursors.getOrDefault(begun, Question.Cursor.START);
    return new Question(wanted, begun, cursor, pageBytes);
  }

  /** Cancels the open questions on all nodes. Calling it twice is harmless. */
  @Override
  public void close() {
    List<Asked> open = new ArrayList<>(asked);
    asked.clear();
    pending.clear();
    near.clear();
    open.forEach(each -> each.answer.cancel(true));
  }
}
