package dev.isogrid.stream;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ShippedObject;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/** The operations of nodes on each segment of a question. Immutable once sent. */
final class Pipeline implements Serializable {
  private static final long serialVersionUID = 1;

  final String cacheName;
  final EntryPart part;
  final ArrayList<Step> steps;

  /** Null if the result is the elements themselves. */
  final @Nullable Terminal terminal;

  /** The only keys to process, as bytes; null for all. */
  final byte @Nullable [][] keys;

  final boolean isParallel;

  /** Whether a segment's part counts only if the node was its owner all the time. */
  final boolean isRehashAware;

  /** The most elements of a page; 0 for no limit. */
  final int batchElements;

  /** Whether a function of another stream waits for it, on a thread that others need. */
  final boolean isNested;

  // tidy: the whole message to nodes
  Pipeline(
      String cacheName,
      EntryPart part,
      List<Step> steps,
      @Nullable Terminal terminal,
      byte @Nullable [][] keys,
      StreamControls controls) {
    this.cacheName = cacheName;
    this.part = part;
    this.steps = new ArrayList<>(steps);
    this.terminal = terminal;
    this.keys = keys;
    this.isParallel = controls.isParallel;
    this.isRehashAware = controls.isRehashAware;
    this.batchElements = controls.batchElements;
    this.isNested = SegmentEvaluator.IN_PART.isBound();
  }

  /** Whether elements are sent as the bytes of the entries. */
  boolean isRaw() {
    return steps.isEmpty() && terminal == null;
  }

  /** Whether each element is one of those that the stream began with. */
  boolean keepsElements() {
    return steps.stream().allMatch(step -> step.kind().keepsElements);
  }

  BaseStream<?, ?> apply(BaseStream<?, ?> stream) {
    return applied(stream, steps);
  }

  static BaseStream<?, ?> applied(BaseStream<?, ?> stream, List<Step> steps) {
    BaseStream<?, ?> result = stream;
    for (Step step : steps) {
      result = step.apply(result);
    }
    return result;
  }

  /**
   * The serialized pipeline.
   *
   * @throws InvalidRequestException if one of the functions can't be serialized; the message names
   *     it
   */
  byte[] toBytes() {
    for (Step step : steps) {
      check(step.kind().toString(), step.argument());
    }
    if (terminal != null) {
      check(terminal.kind().toString(), terminal.first());
      check(terminal.kind().toString(), terminal.second());
      check(terminal.kind().toString(), terminal.third());
    }
    return serialized("stream of cache " + cacheName, this);
  }

  private static void check(String operation, @Nullable Object argument) {
    if (argument != null && !(argument instanceof Long)) {
      serialized("argument of the stream's " + operation, argument);
    }
  }

  /**
   * An object as bytes.
   *
   * @param what its name, for the message
   * @throws InvalidRequestException if it can't be serialized
   */
  static byte[] serialized(String what, @Nullable Object object) {
    return ShippedObject.toBytes(object, what).toByteArray();
  }
}
