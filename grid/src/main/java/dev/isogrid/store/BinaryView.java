package dev.isogrid.store;

import dev.isogrid.api.Expiry;
import dev.isogrid.codec.ByteString;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A window on an entry laid out by {@link EntryLayout}: in an array as a whole, or with its value
 * in memory outside of the heap and the rest in an array. A compressed value is expanded when its
 * bytes are asked for.
 */
final class BinaryView extends EntryView<BinaryKey, Bytes> {
  private static final byte[] NONE = {};

  /** A longer scratch is given up: each segment has a window for its writes, which stays. */
  private static final int SCRATCH_KEPT_MAX = 512;

  private final BinaryKey key = new BinaryKey();
  private final ValueView value = new ValueView();

  /** What expands compressed values; null for a window that is shown none. */
  private final @Nullable ValueCompression compression;

  /** The value as it was before it was compressed; null until one is asked for. */
  private @Nullable ExpandedValue expandedValue;

  /** Whether that was expanded since the window was moved. */
  private boolean isExpanded;

  /** Holds the entry, or all of it but the value. */
  private byte[] array = NONE;

  /** Whether the value in the array stays as it is for as long as the array is referred to. */
  private boolean lasting;

  /** An array of this window's own, which entries from outside of the heap are copied to. */
  private byte[] scratch = NONE;

  /** The same for a whole entry whose value was asked for after its head. */
  private byte[] copied = NONE;

  /** Where the value is, or null if it is in the array. */
  private @Nullable MemorySegment memory;

  /** The value, if it is neither in the array nor in the memory; or null. */
  private @Nullable Bytes outside;

  /** Whether the value is to be copied from there before it is used, since it may be moved. */
  private boolean copiesWhenAsked;

  /** Kept by this window until {@link #release}, or null. */
  private @Nullable Page pinned;

  private @Nullable PagePool pinnedOf;

  private boolean present;
  private long epochBits;
  private int start;
  private int flags;
  private int keyOffset;
  private int keyLength;
  private int valueLength;

  /** In the memory, or if that is null in the array. */
  private long valueOffset;

  private int tail;

  /** A window on entries whose values are not compressed. */
  BinaryView() {
    this(null);
  }

  /**
   * A window on entries of a container.
   *
   * @param compression the container's, or null
   */
  BinaryView(@Nullable ValueCompression compression) {
    this.compression = compression;
  }

  /** Moves the window to an entry in an array of its own, or to an absence. */
  void point(byte @Nullable [] entry, long epochBits) {
    if (entry == null) {
      present = false;
    } else {
      point(entry, 0, epochBits);
      lasting = true;
    }
  }

  @Override
  public void show(BinaryKey shownKey, Effect<Bytes> effect, long version) {
    EntryLayout.Header header = new EntryLayout.Header();
    header.set(effect, this, version, () -> 0);
    byte[] entry = EntryLayout.encode(header, shownKey, effect.value());
    point(entry, version & ~Segment.SEQUENCE_MAX);
  }

  @Override
  void clear() {
    present = false;
    copiesWhenAsked = false;
    array = NONE;
    memory = null;
    outside = null;
    key.clear();
    if (scratch.length > SCRATCH_KEPT_MAX) {
      scratch = NONE;
    }
    if (expandedValue != null) {
      expandedValue.clear();
    }
  }

  /** Moves the window to an entry within an array. */
  void point(byte[] array, int start, long epochBits) {
    pointAtHead(array, start, epochBits);
    memory = null;
    int keyEnd = keyOffset + keyLength;
    valueOffset = keyEnd;
    tail = keyEnd + valueLength;
  }

  /**
   * Moves the window to an entry whose head and tail, without the value between, are in an array.
   *
   * @param memory where the whole entry is
   * @param base where it begins
   */
  void pointOutside(byte[] array, MemorySegment memory, long base, long epochBits) {
    pointAtHead(array, 0, epochBits);
    this.memory = memory;
    tail = keyOffset + keyLength;
    valueOffset = base + tail;
  }

  /**
   * Moves the window to an entry whose head and tail are in an array, one after the other, and
   * whose value is elsewhere.
   */
  void pointWithValue(byte[] array, int start, Bytes value, long epochBits) {
    pointAtHead(array, start, epochBits);
    memory = null;
    tail = keyOffset + keyLength;
    outside = value;
  }

  /** Makes the window, which has all but the value, copy that too when it is asked for. */
  void copyWhenAsked() {
    copiesWhenAsked = true;
  }

  /** Copies the value if that was left until it is asked for. */
  void copyValue() {
    if (copiesWhenAsked) {
      MemorySegment from = Objects.requireNonNull(memory);
      int head = tail;
      int size = size();
      int length = head + valueLength;
      byte[] whole = whole(size);
      System.arraycopy(array, 0, whole, 0, head);
      MemorySegment.copy(from, Native.BYTE, valueOffset, whole, head, valueLength);
      System.arraycopy(array, head, whole, length, size - length);
      point(whole, 0, epochBits);
    }
  }

  /** An array for a whole entry; the window's own one, or a new one if it is too long to keep. */
  private byte[] whole(int size) {
    if (size > SCRATCH_KEPT_MAX) {
      return new byte[size];
    }
    if (copied.length < size) {
      copied = new byte[SCRATCH_KEPT_MAX];
    }
    return copied;
  }

  /** The value as it is stored, if it is neither in the array nor in the memory; or null. */
  @Nullable Bytes valueElsewhere() {
    return outside;
  }

  /** Copies the whole entry, {@link #size} bytes; only if its value is not elsewhere. */
  void copyTo(byte[] target, int at) {
    if (memory == null) {
      System.arraycopy(array, start, target, at, size());
      return;
    }
    int rest = size() - valueLength - tail;
    System.arraycopy(array, 0, target, at, tail);
    MemorySegment.copy(memory, Native.BYTE, valueOffset, target, at + tail, valueLength);
    System.arraycopy(array, tail, target, at + tail + valueLength, rest);
  }

  private void pointAtHead(byte[] array, int start, long epochBits) {
    present = true;
    copiesWhenAsked = false;
    outside = null;
    lasting = false;
    isExpanded = false;
    this.array = array;
    this.start = start;
    this.epochBits = epochBits;
    flags = array[start] & 0xFF;
    keyLength = (int) EntryLayout.varint(array, start + 1);
    int at = EntryLayout.afterVarint(array, start + 1);
    valueLength = (int) EntryLayout.varint(array, at);
    keyOffset = EntryLayout.afterVarint(array, at);
  }

  /** Whether the window is at an entry that is an array of its own. */
  @SuppressWarnings("ReferenceEquality") // the same array, not an equal one
  boolean isAt(byte @Nullable [] entry) {
    return present && array == entry;
  }

  /** This window's own array, of a length at least; its content goes when it has to grow. */
  byte[] scratch(int length) {
    if (scratch.length < length) {
      scratch = new byte[Math.max(length, 2 * scratch.length)];
    }
    return scratch;
  }

  /** Makes the window keep a page that was pinned for it. */
  void keep(Page page, PagePool pool) {
    pinned = page;
    pinnedOf = pool;
  }

  @Override
  public void release() {
    if (pinned != null) {
      Page page = pinned;
      pinned = null;
      present = false;
      page.unpin(Objects.requireNonNull(pinnedOf));
    }
  }

  /** The flags as they are stored. */
  int flags() {
    return flags;
  }

  int keyLength() {
    return keyLength;
  }

  /** The hash of the key. */
  int keyHash() {
    return key().hash();
  }

  /** The number of bytes of the whole entry, a value elsewhere included. */
  int size() {
    int end = EntryLayout.endOffset(array, flags, tail, tailShift()) + tailShift();
    return outside == null ? end : end + valueLength;
  }

  /**
   * Where the entry's last use is, counted from its beginning without a value elsewhere; only if it
   * has a max idle.
   */
  int lastUsedOffset() {
    return EntryLayout.lastUsedOffset(array, flags, tail, tailShift()) + tailShift();
  }

  /** How much farther the tail is from the entry's beginning than from the array's. */
  private int tailShift() {
    return memory == null ? -start : valueLength;
  }

  @Override
  public boolean isPresent() {
    return present;
  }

  @Override
  public BinaryKey key() {
    return key.point(array, keyOffset, keyLength);
  }

  @Override
  public Bytes value() {
    copyValue();
    return valueNow();
  }

  /** Without the copy that a value which the write may move needs. */
  @Override
  public Bytes valueNow() {
    return isCompressed() ? expandedValue() : value;
  }

  private Bytes expandedValue() {
    ExpandedValue expanded = expandedValue;
    if (expanded == null) {
      expanded = new ExpandedValue();
      expandedValue = expanded;
    }
    return expanded;
  }

  /** Whether the value is stored compressed. */
  boolean isCompressed() {
    return EntryLayout.isCompressed(flags);
  }

  /** The value as it is stored; valid as {@link #value}. */
  Bytes storedValue() {
    copyValue();
    return value;
  }

  /** The number of bytes of the value as it is stored. */
  int storedLength() {
    return valueLength;
  }

  @Override
  public long version() {
    return epochBits | EntryLayout.sequence(array, flags, tail);
  }

  @Override
  public boolean isMortal() {
    return EntryLayout.isMortal(flags);
  }

  @Override
  public long createdMillis() {
    return isMortal() ? EntryLayout.createdMillis(array, flags, tail) : -1;
  }

  @Override
  public long lifespanMillis() {
    return (flags & EntryLayout.LIFESPAN) != 0
        ? EntryLayout.lifespanMillis(array, flags, tail)
        : Expiry.UNLIMITED;
  }

  @Override
  public long lastUsedMillis() {
    return (flags & EntryLayout.MAX_IDLE) != 0
        ? EntryLayout.lastUsed(array, lastUsedOffset() - tailShift())
        : -1;
  }

  @Override
  public long maxIdleMillis() {
    return (flags & EntryLayout.MAX_IDLE) != 0
        ? EntryLayout.maxIdleMillis(array, flags, tail)
        : Expiry.UNLIMITED;
  }

  @Override
  public int clientFlags() {
    return (flags & EntryLayout.CLIENT_FLAGS) != 0
        ? EntryLayout.clientFlags(array, flags, tail)
        : 0;
  }

  @Override
  public @Nullable String mediaType() {
    return (flags & EntryLayout.MEDIA_TYPE) != 0 ? EntryLayout.mediaType(array, flags, tail) : null;
  }

  @Override
  void touch(long nowMillis) {
    if ((flags & EntryLayout.MAX_IDLE) != 0) {
      EntryLayout.setLastUsed(array, lastUsedOffset() - tailShift(), nowMillis);
    }
  }

  /** The value's bytes. */
  private final class ValueView implements Bytes {
    @Override
    public int length() {
      return valueLength;
    }

    @Override
    public void copyTo(byte[] target, int offset) {
      if (outside != null) {
        outside.copyTo(target, offset);
      } else if (memory == null) {
        System.arraycopy(array, (int) valueOffset, target, offset, valueLength);
      } else {
        MemorySegment.copy(memory, Native.BYTE, valueOffset, target, offset, valueLength);
      }
    }

    @Override
    public void copyTo(MemorySegment target, long offset) {
      if (outside != null) {
        outside.copyTo(target, offset);
      } else if (memory == null) {
        Native.copy(array, (int) valueOffset, target, offset, valueLength);
      } else {
        MemorySegment.copy(memory, valueOffset, target, offset, valueLength);
      }
    }

    @Override
    public void writeTo(ByteSink sink) {
      if (outside != null) {
        outside.writeTo(sink);
      } else if (memory == null) {
        sink.write(array, (int) valueOffset, valueLength);
      } else {
        sink.write(Objects.requireNonNull(memory), valueOffset, valueLength);
      }
    }

    @Override
    public ByteString toByteString() {
      if (outside != null) {
        return outside.toByteString();
      }
      boolean isMostOfIt = valueLength >= array.length / 2; // a part keeps all of the array
      return memory == null && lasting && isMostOfIt
          ? ByteString.of(array, (int) valueOffset, valueLength)
          : Bytes.super.toByteString();
    }

    @Override
    public boolean isPinnable() {
      return outside != null ? outside.isPinnable() : memory != null && pinned != null;
    }

    @Override
    public PinnedBytes pin() {
      if (outside != null) {
        return outside.pin();
      }
      if (memory == null && lasting) {
        return PinnedBytes.of(array, (int) valueOffset, valueLength);
      }
      if (memory != null && pinned != null) {
        pinned.pinAgain();
        return PinnedBytes.of(pinned, Objects.requireNonNull(pinnedOf), valueOffset, valueLength);
      }
      return Bytes.super.pin();
    }
  }

  /** The bytes of a compressed value, expanded to an array of this window's own. */
  private final class ExpandedValue implements Bytes {
    private byte[] plain = NONE;

    void clear() {
      isExpanded = false;
      if (plain.length > SCRATCH_KEPT_MAX) {
        plain = NONE;
      }
    }

    @Override
    public int length() {
      return memory == null
          ? ValueCompression.lengthBefore(array, (int) valueOffset)
          : ValueCompression.lengthBefore(memory, valueOffset);
    }

    private byte[] expanded() {
      if (!isExpanded) {
        if (compression == null) {
          throw new IllegalStateException("compressed entry without its dictionaries");
        }
        int length = length();
        if (plain.length < length) {
          plain = new byte[length];
        }
        if (memory == null) {
          compression.expand(array, (int) valueOffset, valueLength, plain);
        } else {
          compression.expand(memory, valueOffset, valueLength, plain);
        }
        isExpanded = true;
      }
      return plain;
    }

    @Override
    public void copyTo(byte[] target, int offset) {
      System.arraycopy(expanded(), 0, target, offset, length());
    }

    @Override
    public void copyTo(MemorySegment target, long offset) {
      Native.copy(expanded(), 0, target, offset, length());
    }

    @Override
    public void writeTo(ByteSink sink) {
      sink.write(expanded(), 0, length());
    }
  }
}
