package dev.isogrid.client;

import org.jspecify.annotations.Nullable;

/**
 * A value on its way to a server. Immutable, but for the array of the caller.
 *
 * @param prepared text or bytes, of {@link ObjectFormat#prepared}; of bytes the first ones
 * @param size of the bytes, or about that of the text
 * @param tag of {@link ObjectFormat#tag}
 * @param lifetime the lifespan and max idle of the entry
 * @param copies takes the bytes back, or null if they are not reused
 */
record WrittenValue(
    Object prepared, int size, int tag, Lifetime lifetime, @Nullable ValueCopies copies) {
  /** Makes bytes of a value if the format needs them; else the value is kept as it is. */
  static WrittenValue of(ObjectFormat format, Object value, Lifetime lifetime) {
    Object prepared = format.prepared(value);
    return new WrittenValue(
        prepared, ObjectFormat.size(prepared), format.tag(value), lifetime, null);
  }

  /** The same with an array of its own, so that the caller may change the value. */
  WrittenValue owned() {
    return prepared instanceof byte[] bytes
        ? new WrittenValue(bytes.clone(), size, tag, lifetime, null)
        : this;
  }

  /** As {@link #owned()}, with an array that is given back when the value was written. */
  WrittenValue ownedUntilWritten(ValueCopies lender) {
    return prepared instanceof byte[] bytes
        ? new WrittenValue(lender.copy(bytes), size, tag, lifetime, lender)
        : this;
  }

  /** Takes note that it was written, and is not sent again. */
  void written() {
    if (copies != null) {
      copies.giveBack((byte[]) prepared);
    }
  }

  void write(RequestWriter out) {
    out.value(prepared, size, tag);
  }
}
