package dev.isogrid.stream;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;

/**
 * The common part of streams over a {@link StreamPlan}, whatever their elements are: controls, and
 * the steps that don't depend on the type. For one thread.
 *
 * @param <S> the type of the stream; each subclass is one
 */
@NullUnmarked // as with any stream
abstract class ControlledStream<S> {
  final StreamPlan<?, ?, ?, ?> plan;

  ControlledStream(StreamPlan<?, ?, ?, ?> plan) {
    this.plan = plan;
  }

  /** A new stream over the plan, for the steps from now on. */
  abstract S next();

  @SuppressWarnings("unchecked") // each subclass is an S
  private S self() {
    return (S) this;
  }

  public S distinct() {
    plan.add(Step.Kind.DISTINCT, null);
    return next();
  }

  public S sorted() {
    plan.add(Step.Kind.SORTED, null);
    return next();
  }

  public S limit(long maxSize) {
    plan.add(Step.Kind.LIMIT, StreamControls.checkCount(maxSize));
    return next();
  }

  public S skip(long n) {
    plan.add(Step.Kind.SKIP, StreamControls.checkCount(n));
    return next();
  }

  public S unordered() {
    plan.add(Step.Kind.UNORDERED, null);
    return next();
  }

  public S filterKeySegments(int... segments) {
    plan.segments(Objects.requireNonNull(segments, "segments"));
    return self();
  }

  public S filterKeys(Set<?> keys) {
    plan.controls.keys = Set.copyOf(Objects.requireNonNull(keys, "keys"));
    return self();
  }

  public S distributedBatchSize(int elements) {
    plan.controls.batchElements = StreamControls.checkBatch(elements);
    return self();
  }

  public S timeout(long timeout, TimeUnit unit) {
    plan.controls.timeoutMillis =
        StreamControls.checkTimeout(Objects.requireNonNull(unit, "unit").toMillis(timeout));
    return self();
  }

  public S sequentialDistribution() {
    plan.controls.isSequentialOverNodes = true;
    return self();
  }

  public S parallelDistribution() {
    plan.controls.isSequentialOverNodes = false;
    return self();
  }

  public S disableRehashAware() {
    plan.controls.isRehashAware = false;
    return self();
  }

  public S enableRehashAware() {
    plan.controls.isRehashAware = true;
    return self();
  }

  public S segmentCompletionListener(Consumer<int[]> listener) {
    plan.controls.listener = Objects.requireNonNull(listener, "listener");
    return self();
  }

  public S sequential() {
    plan.controls.isParallel = false;
    return self();
  }

  public S parallel() {
    plan.controls.isParallel = true;
    return self();
  }

  public boolean isParallel() {
    return plan.controls.isParallel;
  }

  public S onClose(Runnable closeHandler) {
    plan.onClose(Objects.requireNonNull(closeHandler, "closeHandler"));
    return self();
  }

  public void close() {
    plan.close();
  }

  public long count() {
    return (Long) plan.evaluate(Terminal.of(Terminal.Kind.COUNT));
  }
}
