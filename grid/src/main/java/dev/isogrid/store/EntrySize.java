package dev.isogrid.store;

/** What an entry adds to the memory of its container, about, in bytes. */
public final class EntrySize {
  /** Header, lengths, version and index slot of an entry that is bytes; less off-heap. */
  private static final int BINARY_OVERHEAD_BYTES = 40;

  /** A node and its place in the table. */
  private static final int OBJECT_OVERHEAD_BYTES = 48;

  private EntrySize() {}

  /**
   * The size of an entry, its part of the index included.
   *
   * @throws dev.isogrid.api.InvalidRequestException if it is an object that cannot be measured
   */
  public static long of(Object key, Object value) {
    return key instanceof BinaryKey bytes && value instanceof Bytes content
        ? BINARY_OVERHEAD_BYTES + (long) bytes.length() + content.length()
        : OBJECT_OVERHEAD_BYTES + ObjectSize.of(key) + ObjectSize.of(value);
  }

  /** The size of the entry that a window shows, as it is stored. Arguments as {@link #of}. */
  public static long ofStored(EntryView<?, ?> view) {
    return view instanceof BinaryView binary
        ? BINARY_OVERHEAD_BYTES + (long) binary.keyLength() + binary.storedLength()
        : of(view.key(), view.value());
  }
}
