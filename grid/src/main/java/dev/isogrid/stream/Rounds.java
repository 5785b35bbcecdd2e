package dev.isogrid.stream;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.NodeCallException;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Queries the nodes that own some segments until all segments are answered. Each node has at most
 * one question at a time, the next one after its answer was taken. So this holds at most one answer
 * per node beside the current one. For one thread.
 */
final class Rounds implements AutoCloseable {
  /**
   * The size of the first page, which is small so that it arrives soon. Each page is twice as large
   * as the previous one.
   */
  private static final int FIRST_PAGE_BYTES = 64 << 10;

  private static final int DOUBLINGS_MAX = 4;

  /** The pause for a node that did not answer for the queried segments. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * The time of a node for its first answer after a valid one: much longer than a slice, and short
   * in case the answer was lost. The next attempt has the full time, and so have those after an
   * answer that took longer than this: functions that are slow must not run twice for each part.
   */
  private static final long FIRST_ATTEMPT_MILLIS = 5_000;

  private record Reply(NodeId node, @Nullable StreamAnswer answer, @Nullable Throwable failure) {}

  private record Asked(BitSet segments, CompletableFuture<StreamAnswer> answer, long atNanos) {}

  private final Streams streams;
  private final SegmentEvaluator<?, ?, ?, ?> evaluator;
  private final CacheEngine<?, ?> engine;
  private final StreamControls controls;
  private final StreamNode self;
  private final byte[] pipeline;
  private final Set<NodeId> late = new HashSet<>();

  /** The segments that are not completely answered. */
  private final BitSet pending;

  private final Map<Integer, Question.Cursor> cursors = new HashMap<>();
  private final Map<NodeId, Asked> asked = new HashMap<>();
  private final Map<NodeId, Integer> answers = new HashMap<>();
  private final Map<NodeId, Long> notBeforeNanos = new HashMap<>();
  private final LinkedBlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
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
    this.pending = segments;
    this.progressNanos = self.clock().nanoTime();
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
      Reply reply = poll();
      if (reply == null) {
        checkProgress();
        continue;
      }
      Asked question = Objects.requireNonNull(asked.remove(reply.node));
      StreamAnswer answer = reply.answer;
      if (answer == null) {
        failed(reply);
        continue;
      }
      if (take(reply.node, answer, question.atNanos)) {
        ask();
        return answer;
      }
    }
  }

  /** Takes over the progress of a node since a question; returns whether there was any. */
  private boolean take(NodeId node, StreamAnswer answer, long askedNanos) {
    pending.andNot(answer.done);
    answer.done.stream().forEach(cursors::remove);
    if (!controls.isRehashAware) {
      pending.andNot(answer.refused);
    }
    byte[] cursor = answer.cursor;
    if (cursor != null) {
      cursors.put(answer.cursorSegment, new Question.Cursor(cursor));
    }
    boolean isFurther = !answer.done.isEmpty() || cursor != null;
    long now = self.clock().nanoTime();
    if (isFurther) {
      progressNanos = now;
      if (now - askedNanos < TimeUnit.MILLISECONDS.toNanos(FIRST_ATTEMPT_MILLIS)) {
        late.remove(node);
      }
      answers.merge(node, 1, Integer::sum);
    }
    if (!answer.refused.isEmpty()) {
      notBeforeNanos.put(node, now + PAUSE_NANOS);
    }
    return isFurther;
  }

  private @Nullable Reply poll() {
    try {
      return replies.poll(PAUSE_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RetryableGridException(
          "interrupted while waiting for a stream: cache=" + engine.name(), e);
    }
  }

  private void failed(Reply reply) {
    Throwable failure =
        reply.failure instanceof CompletionException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : reply.failure;
    boolean isOfCall =
        failure instanceof NodeCallException call
            && call.reason() != NodeCallException.Reason.FAILED;
    Throwable cause =
        failure instanceof NodeCallException call && !isOfCall ? call.getCause() : failure;
    if (!isOfCall && !(cause instanceof RetryableGridException)) {
      throw StreamFailures.unchecked(cause);
    }
    lastFailure = cause;
    late.add(reply.node);
    notBeforeNanos.put(reply.node, self.clock().nanoTime() + PAUSE_NANOS);
    checkProgress();
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

  private void ask() {
    if (pending.isEmpty() || (controls.isSequentialOverNodes && !asked.isEmpty())) {
      return;
    }
    for (Map.Entry<NodeId, BitSet> each : unasked().entrySet()) {
      ask(each.getKey(), each.getValue());
      if (controls.isSequentialOverNodes) {
        return;
      }
    }
  }

  /** The segments without a question, by the nodes that can be queried now. */
  private Map<NodeId, BitSet> unasked() {
    BitSet rest = (BitSet) pending.clone();
    asked.values().forEach(each -> rest.andNot(each.segments));
    Map<NodeId, BitSet> byNode = new LinkedHashMap<>();
    long now = self.clock().nanoTime();
    rest.stream()
        .forEach(segment -> {
          NodeId node = primary(segment);
          if (node != null && !asked.containsKey(node) && mayAsk(node, now)) {
            byNode.computeIfAbsent(node, _ -> new BitSet()).set(segment);
          }
        });
    return byNode;
  }

  private boolean mayAsk(NodeId node, long now) {
    Long notBefore = notBeforeNanos.get(node);
    return notBefore == null || now - notBefore >= 0;
  }

  private void ask(NodeId node, BitSet segments) {
    int begun = segments.stream().filter(cursors::containsKey).findFirst().orElse(-1);
    BitSet wanted = segments;
    if (segments.stream().filter(cursors::containsKey).limit(2).count() > 1) {
      // Several partially answered segments are queried one at a time, since a question has one
      // cursor.
      wanted = new BitSet();
      wanted.set(begun);
    }
    Question.Cursor cursor = cursors.getOrDefault(begun, Question.Cursor.START);
    int doublings = Math.min(answers.getOrDefault(node, 0), DOUBLINGS_MAX);
    Question question = new Question(wanted, begun, cursor, FIRST_PAGE_BYTES << doublings);
    long timeoutMillis =
        late.contains(node)
            ? controls.timeoutMillis
            : Math.min(controls.timeoutMillis, FIRST_ATTEMPT_MILLIS);
    Streams.Sent sent = new Streams.Sent(pipeline, timeoutMillis);
    CompletableFuture<StreamAnswer> answer = streams.ask(node, evaluator, question, sent);
    asked.put(node, new Asked(wanted, answer, self.clock().nanoTime()));
    answer.whenComplete((result, failure) -> replies.add(new Reply(node, result, failure)));
  }

  /** Cancels the open questions on all nodes. Calling it twice is harmless. */
  @Override
  public void close() {
    List<Asked> open = new ArrayList<>(asked.values());
    asked.clear();
    pending.clear();
    open.forEach(each -> each.answer.cancel(true));
  }
}
