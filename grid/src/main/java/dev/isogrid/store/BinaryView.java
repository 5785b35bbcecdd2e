package dev.isogrid.store;

import dev.isogrid.api.Expiry;
import org.jspecify.annotations.Nullable;

/** A window on an entry that is an array of bytes, laid out by {@link EntryLayout}. */
final class BinaryView extends EntryView<BinaryKey, Bytes> {
  private static final byte[] ABSENT = {};

  private final BinaryKey key = new BinaryKey();
  private final ValueView value = new ValueView();
  private byte[] entry = ABSENT;
  private long epochBits;
  private int keyOffset;
  private int keyLength;
  private int createdOffset;
  private int clientFlagsOffset;
  private int mediaTypeOffset;
  private int flags;
  private long sequence;

  /** Moves the window to an entry, or to an absence. */
  void point(byte @Nullable [] entry, long epochBits) {
    if (entry == null) {
      this.entry = ABSENT;
      return;
    }
    this.entry = entry;
    this.epochBits = epochBits;
    flags = entry[EntryLayout.FLAGS_OFFSET];
    int at = EntryLayout.variableOffset(flags);
    sequence = EntryLayout.varint(entry, at);
    at = EntryLayout.afterVarint(entry, at);
    if (flags != 0) {
      at = pointOptional(at);
    }
    keyLength = (int) EntryLayout.varint(entry, at);
    keyOffset = EntryLayout.afterVarint(entry, at);
  }

  private int pointOptional(int at) {
    createdOffset = at;
    at = EntryLayout.clientFlagsOffset(entry, flags, at);
    clientFlagsOffset = at;
    if ((flags & EntryLayout.CLIENT_FLAGS) != 0) {
      at += Integer.BYTES;
    }
    mediaTypeOffset = at;
    return (flags & EntryLayout.MEDIA_TYPE) != 0 ? EntryLayout.afterMediaType(entry, at) : at;
  }

  @Override
  public boolean isPresent() {
    return entry.length != 0;
  }

  @Override
  public BinaryKey key() {
    return key.set(entry, keyOffset, keyLength);
  }

  @Override
  public Bytes value() {
    return value;
  }

  @Override
  public long version() {
    return epochBits | sequence;
  }

  @Override
  public boolean isMortal() {
    return (flags & (EntryLayout.LIFESPAN | EntryLayout.MAX_IDLE)) != 0;
  }

  @Override
  public long createdMillis() {
    return isMortal() ? EntryLayout.varint(entry, createdOffset) : -1;
  }

  @Override
  public long lifespanMillis() {
    return (flags & EntryLayout.LIFESPAN) != 0
        ? EntryLayout.varint(entry, EntryLayout.afterVarint(entry, createdOffset))
        : Expiry.UNLIMITED;
  }

  @Override
  public long lastUsedMillis() {
    return (flags & EntryLayout.MAX_IDLE) != 0 ? EntryLayout.lastUsed(entry) : -1;
  }

  @Override
  public long maxIdleMillis() {
    if ((flags & EntryLayout.MAX_IDLE) == 0) {
      return Expiry.UNLIMITED;
    }
    int at = EntryLayout.afterVarint(entry, createdOffset);
    if ((flags & EntryLayout.LIFESPAN) != 0) {
      at = EntryLayout.afterVarint(entry, at);
    }
    return EntryLayout.varint(entry, at);
  }

  @Override
  public int clientFlags() {
    return (flags & EntryLayout.CLIENT_FLAGS) != 0
        ? EntryLayout.clientFlags(entry, clientFlagsOffset)
        : 0;
  }

  @Override
  public @Nullable String mediaType() {
    return (flags & EntryLayout.MEDIA_TYPE) != 0
        ? EntryLayout.mediaType(entry, mediaTypeOffset)
        : null;
  }

  @Override
  void touch(long nowMillis) {
    if ((flags & EntryLayout.MAX_IDLE) != 0) {
      EntryLayout.setLastUsed(entry, nowMillis);
    }
  }

  /** The value's bytes: from the key's end to the array's end. */
  private final class ValueView implements Bytes {
    @Override
    public int length() {
      return entry.length - keyOffset - keyLength;
    }

    @Override
    public void copyTo(byte[] target, int offset) {
      System.arraycopy(entry, keyOffset + keyLength, target, offset, length());
    }

    @Override
    public void writeTo(ByteSink sink) {
      sink.write(entry, keyOffset + keyLength, length());
    }
  }
}
