package dev.isogrid.stream;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ShippedObject;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/** What nodes do with each of the segments that they are asked for. Not changed once it is sent. */
final class Pipeline implements Serializable {
  private static final long serialVersionUID = 1;

  final String cacheName;
  final EntryPart part;
  final ArrayList<Step> steps;

  /** Null if the elements themselves are wanted. */
  final @Nullable Terminal terminal;

  /** The only keys that are wanted, as bytes; null for all. */
  final byte @Nullable [][] keys;

  final boolean isParallel;

  /** Whether what was seen of a segment counts only if the node answered for it all the time. */
  final boolean isRehashAware;

  /** The most elements of a page; 0 for as many as there is room for. */
  final int batchElements;

  // tidy: all that nodes have to know
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
  }

  /** Whether elements go over as the bytes that the entries have. */
  boolean isRaw() {
    return steps.isEmpty() && terminal == null;
  }

  /** Whether each element is one that the stream began with. */
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
   * This as bytes.
   *
   * @throws InvalidRequestException if one of the functions can't be sent; names it
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
   * @param what it is, for the message
   * @throws InvalidRequestException if it can't be sent
   */
  static byte[] serialized(String what, @Nullable Object object) {
    return ShippedObject.toBytes(object, what).toByteArray();
  }
}
