package dev.isogrid.store;

import dev.isogrid.api.Expiry;
import dev.isogrid.codec.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * An entry without its key and outside of any container: what nodes tell each other of it.
 * Immutable.
 *
 * @param sequence the version without its epoch, 0 if it is that of the write that carries this
 * @param createdMillis when it was written, milliseconds since 1970; of no meaning if it is not
 *     mortal
 * @param lifespanMillis the lifespan, or {@link Expiry#UNLIMITED}
 * @param lastUsedMillis when it was last used; of no meaning if it has no max idle
 * @param maxIdleMillis the max idle, or {@link Expiry#UNLIMITED}
 * @param clientFlags the bits for memcached clients
 * @param mediaType the value's media type, or null
 * @param value the value
 */
public record DetachedEntry(
    long sequence,
    long createdMillis,
    long lifespanMillis,
    long lastUsedMillis,
    long maxIdleMillis,
    int clientFlags,
    @Nullable String mediaType,
    ByteString value) {
  /** What the fields beside the value take, about. */
  private static final int FIELDS_SIZE = 80;

  /** A copy of the entry that a window shows. */
  public static DetachedEntry of(EntryView<?, Bytes> view) {
    return of(view, view.value().toByteString());
  }

  /** The same with an empty value: for callers that can't use a value too large to be copied. */
  public static DetachedEntry withoutValue(EntryView<?, Bytes> view) {
    return of(view, ByteString.of(new byte[0]));
  }

  private static DetachedEntry of(EntryView<?, Bytes> view, ByteString value) {
    return new DetachedEntry(
        view.version() & Segment.SEQUENCE_MAX,
        view.createdMillis(),
        view.lifespanMillis(),
        view.lastUsedMillis(),
        view.maxIdleMillis(),
        view.clientFlags(),
        view.mediaType(),
        value);
  }

  /** Whether containers can keep a text as a media type. */
  public static boolean isMediaType(String text) {
    return text.length() <= EntryLayout.MEDIA_TYPE_LENGTH_MAX
        && text.chars().allMatch(c -> c > 0 && c < 0x80);
  }

  /** Whether its time is over. */
  public boolean isExpired(long nowMillis) {
    return EntryView.isOver(createdMillis, lifespanMillis, nowMillis)
        || EntryView.isOver(lastUsedMillis, maxIdleMillis, nowMillis);
  }

  /** The same as of a version. */
  public DetachedEntry withSequence(long sequence) {
    return new DetachedEntry(
        sequence,
        createdMillis,
        lifespanMillis,
        lastUsedMillis,
        maxIdleMillis,
        clientFlags,
        mediaType,
        value);
  }

  /** The same with another value. */
  public DetachedEntry withValue(ByteString other) {
    return new DetachedEntry(
        sequence,
        createdMillis,
        lifespanMillis,
        lastUsedMillis,
        maxIdleMillis,
        clientFlags,
        mediaType,
        other);
  }

  /** The same with times that begin now. */
  public DetachedEntry touched(long nowMillis, long lifespanMillis, long maxIdleMillis) {
    return new DetachedEntry(
        sequence,
        nowMillis,
        lifespanMillis,
        nowMillis,
        maxIdleMillis,
        clientFlags,
        mediaType,
        value);
  }

  /** Makes an effect store this, with its times. */
  public void toEffect(Effect<Bytes> effect) {
    toEffect(effect, Bytes.of(value));
  }

  /** The same with another value, which is borrowed until the effect is applied. */
  public void toEffect(Effect<Bytes> effect, Bytes other) {
    effect.store(other, lifespanMillis, maxIdleMillis, clientFlags, mediaType);
    effect.times(createdMillis, lastUsedMillis);
  }

  /**
   * Lets a window show this as the entry of a key.
   *
   * @param key the key; not kept
   * @param epoch the epoch of its version
   * @param window one of a container of bytes
   */
  public void show(BinaryKey key, int epoch, EntryView<BinaryKey, Bytes> window) {
    EntryLayout.Header header = new EntryLayout.Header();
    header.sequence = sequence;
    header.createdMillis = createdMillis;
    header.lastUsedMillis = lastUsedMillis;
    header.lifespanMillis = lifespanMillis;
    header.maxIdleMillis = maxIdleMillis;
    header.clientFlags = clientFlags;
    header.mediaType = mediaType;
    byte[] rest = EntryLayout.encodeWithoutValue(header, key, value.length());
    ((BinaryView) window).pointWithValue(rest, 0, Bytes.of(value), Segment.epochBits(epoch));
  }

  /**
   * A new window on an entry as that of a key, or on its absence.
   *
   * @param epoch the epoch of its version
   */
  public static EntryView<BinaryKey, Bytes> window(
      @Nullable DetachedEntry entry, BinaryKey key, int epoch) {
    BinaryView window = new BinaryView();
    if (entry != null) {
      entry.show(key, epoch, window);
    }
    return window;
  }

  /** Lets a window show that there is no entry. */
  public static void showNone(EntryView<BinaryKey, Bytes> window) {
    window.clear();
  }

  /** About the bytes that this takes in memory and in a message. */
  public int sizeBytes() {
    return FIELDS_SIZE + value.length();
  }
}
