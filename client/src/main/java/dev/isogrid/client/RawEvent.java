package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;

/** An event as a server sent it. Immutable but for the array, which is not to be changed. */
final class RawEvent {
  /** The approximate memory of an event besides its bytes. */
  private static final int FIXED_BYTES = 80;

  /** The kinds of changes of an entry. */
  enum Kind {
    CREATED(Opcodes.EVENT_CREATED, EntryEvent.Kind.CREATED),
    MODIFIED(Opcodes.EVENT_MODIFIED, EntryEvent.Kind.MODIFIED),
    REMOVED(Opcodes.EVENT_REMOVED, EntryEvent.Kind.REMOVED),
    EXPIRED(Opcodes.EVENT_EXPIRED, EntryEvent.Kind.EXPIRED);

    private static final Kind[] ALL = values();

    private final int opcode;
    private final EntryEvent.Kind asTold;

    Kind(int opcode, EntryEvent.Kind asTold) {
      this.opcode = opcode;
      this.asTold = asTold;
    }

    /** As users know it. */
    EntryEvent.Kind asTold() {
      return asTold;
    }

    static Kind of(int opcode) {
      return ALL[opcode - Opcodes.EVENT_CREATED];
    }

    /** Whether the entry exists afterwards. */
    boolean hasEntry() {
      return this == CREATED || this == MODIFIED;
    }

    /** The bit for the servers. */
    int bit() {
      return 1 << (opcode - Opcodes.EVENT_CREATED);
    }
  }

  private final Kind kind;
  private final int conversion;
  private final byte[] content;
  private final long version;
  private final boolean isRetried;
  private final boolean isState;

  // tidy: what an event has
  RawEvent(
      Kind kind, int conversion, byte[] content, long version, boolean isRetried, boolean isState) {
    this.kind = kind;
    this.conversion = conversion;
    this.content = content;
    this.version = version;
    this.isRetried = isRetried;
    this.isState = isState;
  }

  Kind kind() {
    return kind;
  }

  /** 0 if the content is the key; 1 if it was converted, 2 if it was and is bytes for the user. */
  int conversion() {
    return conversion;
  }

  byte[] content() {
    return content;
  }

  /** The entry's version, or -1. */
  long version() {
    return version;
  }

  boolean isRetried() {
    return isRetried;
  }

  /** Whether the entry was there before the listener was. */
  boolean isState() {
    return isState;
  }

  /** About the memory that it takes. */
  int size() {
    return FIXED_BYTES + content.length;
  }
}
