package dev.isogrid.client;

/**
 * A value on its way to a server. Immutable, but for the array of the caller.
 *
 * @param prepared text or bytes, of {@link ObjectFormat#prepared}
 * @param tag of {@link ObjectFormat#tag}
 * @param lifetime how long the entry lives
 */
record WrittenValue(Object prepared, int tag, Lifetime lifetime) {
  /** Makes bytes of a value if the format needs them; else the value is kept as it is. */
  static WrittenValue of(ObjectFormat format, Object value, Lifetime lifetime) {
    return new WrittenValue(format.prepared(value), format.tag(value), lifetime);
  }

  /** The same with an array of its own, so that the caller may change the value. */
  WrittenValue owned() {
    return prepared instanceof byte[] bytes ? new WrittenValue(bytes.clone(), tag, lifetime) : this;
  }

  int size() {
    return ObjectFormat.size(prepared);
  }

  void write(RequestWriter out) {
    out.value(prepared, tag);
  }
}
