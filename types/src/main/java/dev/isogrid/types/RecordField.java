package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** A component of a record as a field of its message. */
abstract class RecordField {
  private static final int TYPE_BITS = 3;

  /** The source of a field. */
  record Origin(String record, String name, int number, MethodHandle getter) {}

  final Origin origin;
  final int number;
  final MethodHandle getter;

  RecordField(Origin origin) {
    this.origin = origin;
    this.number = origin.number();
    this.getter = origin.getter();
  }

  static int tag(int number, int wireType) {
    return number << TYPE_BITS | wireType;
  }

  /** The result of writing a component. */
  enum Written {
    /** It is in the message. */
    VALUE,
    /** It is null. */
    NULL,
    /** It has no elements, so nothing of it is in the message. */
    EMPTY
  }

  /** Writes the component with its tag, or nothing. */
  abstract Written write(MessageWriter out, Object record) throws Throwable;

  /**
   * Reads the component, or a part of it.
   *
   * @param former what was read of it before; null if nothing
   * @return what was read of it so far; null if it is one that only a newer version has
   */
  abstract @Nullable Object read(MessageReader in, int wireType, @Nullable Object former);

  /** The component, from what was read of it. */
  Object finish(Object read) {
    return read;
  }

  /** The component of a message that has no field for it; null for null. */
  abstract @Nullable Object absent();

  /** Whether a component that is null must be told from one that is absent. */
  boolean isEmptyIfAbsent() {
    return false;
  }

  /** The component of a record. */
  @Nullable Object get(Object record) throws Throwable {
    return getter.invoke(record);
  }

  final InvalidRequestException nullElement() {
    return new InvalidRequestException(
        "null in a collection: record=%s, component=%s; a list of a message has no nulls: leave"
                .formatted(origin.record(), origin.name())
            + " them out, or use a component of type List<Object>");
  }

  final InvalidRequestException tooLarge(Scalars.OutOfRangeException number) {
    return new InvalidRequestException(
        ("number too large for its component: record=%s, component=%s, %s; it was written by a"
                + " version with a wider component: upgrade this one")
            .formatted(origin.record(), origin.name(), number.getMessage()),
        number);
  }

  final InvalidRequestException unknownElement() {
    return new InvalidRequestException(
        "value of a newer version: record=%s, component=%s; upgrade this process"
            .formatted(origin.record(), origin.name()));
  }
}
