package dev.isogrid.store;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ByteString;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a container of bytes, one after the other in an array: to be looked at later or on
 * another node of the same version. Copies what it is given. For one thread.
 */
public final class PackedEntries {
  /*
   * Each entry is its length (4 bytes, big-endian) and what EntryLayout makes of it. The epoch of
   * the versions is that of all entries: they are of one cache. A value that a walk does not copy
   * is not among the bytes, but beside them, so it can be shown but not sent.
   */
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final byte[] NONE = {};
  private static final Bytes NO_VALUE = Bytes.of(NONE);
  private static final int ROOM_MIN = 4 << 10;

  /** This part of expected bytes is added for what entries take beside their own. */
  private static final int EXPECTED_SPARE = 16;

  /** What an entry takes beside its own bytes. */
  public static final int ENTRY_OVERHEAD = Integer.BYTES;

  private byte[] bytes;

  /** Where the first entry begins. */
  private final int start;

  private int end;
  private int count;
  private long epochBits;

  /** The values that are not among the bytes, by the places of their entries; null for none. */
  private @Nullable NavigableMap<Integer, UnlistedValue> unlisted;

  /** Where the next entry to be shown begins. */
  private int at;

  /** Begins without entries. */
  public PackedEntries() {
    this(NONE, 0, 0);
  }

  /**
   * Begins without entries.
   *
   * @param roomBytes what there is room for before the bytes are copied to a larger array
   */
  public PackedEntries(int roomBytes) {
    this(new byte[roomBytes], 0, 0);
  }

  private PackedEntries(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.at = start;
  }

  /**
   * Begins without entries, and keeps room for what is sent before them.
   *
   * @param headBytes the room that {@link #behind} needs for its argument
   */
  public static PackedEntries afterHead(int headBytes) {
    return new PackedEntries(NONE, headBytes, headBytes);
  }

  /**
   * Makes room for entries of so many bytes in all, so that there is no need to copy them later.
   */
  public void expect(int moreBytes) {
    long wanted = (long) end + moreBytes + moreBytes / EXPECTED_SPARE;
    if (wanted > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - Long.BYTES));
    }
  }

  /**
   * What another one's {@link #writeTo} wrote.
   *
   * @param array kept; not to be changed any more
   * @param from where in it that begins
   * @param sizeBytes the other one's {@link #sizeBytes}
   * @param count the other one's {@link #count}
   * @param epochBits the other one's {@link #epochBits}
   */
  public static PackedEntries of(byte[] array, int from, int sizeBytes, int count, long epochBits) {
    Objects.checkFromIndexSize(from, sizeBytes, array.length);
    PackedEntries packed = new PackedEntries(array, from, from + sizeBytes);
    packed.count = count;
    packed.epochBits = epochBits;
    return packed;
  }

  /**
   * Returns whether bytes are whole entries as {@link #writeTo} writes them, so that windows on
   * them show what they say and nothing beyond. O(entries).
   *
   * @param count how many there should be
   */
  public static boolean areValid(byte[] array, int from, int sizeBytes, int count) {
    int end = Objects.checkFromIndexSize(from, sizeBytes, array.length) + sizeBytes;
    int at = from;
    for (int i = 0; i < count; i++) {
      if (end - at < Integer.BYTES) {
        return false;
      }
      int size = getInt(array, at);
      at += Integer.BYTES;
      if (size < 0 || size > end - at || !EntryLayout.isWhole(array, at, at + size)) {
        return false;
      }
      at += size;
    }
    return at == end;
  }

  /** Adds a copy of the entry that a window of a container of bytes shows. */
  public void add(EntryView<?, ?> window, boolean withValue) {
    BinaryView view = (BinaryView) window;
    epochBits = view.version() & ~Segment.SEQUENCE_MAX;
    if (withValue) {
      view.copyValue();
      if (view.valueElsewhere() instanceof UnlistedValue large && !view.isCompressed()) {
        addWithout(large, view);
        return;
      }
      if (view.valueElsewhere() == null && !view.isCompressed()) {
        int place = reserve(view.size());
        view.copyTo(bytes, place);
        return;
      }
    }
    int _ = add(EntryLayout.encode(header(view), view.key(), withValue ? view.value() : NO_VALUE));
  }

  private void addWithout(UnlistedValue value, BinaryView view) {
    int place = add(EntryLayout.encodeWithoutValue(header(view), view.key(), value.length()));
    if (unlisted == null) {
      unlisted = new TreeMap<>();
    }
    unlisted.put(place, value);
  }

  /** Adds the bytes of an entry; gives their place. */
  private int add(byte[] entry) {
    int place = reserve(entry.length);
    System.arraycopy(entry, 0, bytes, place, entry.length);
    return place;
  }

  private static EntryLayout.Header header(BinaryView view) {
    EntryLayout.Header header = new EntryLayout.Header();
    header.sequence = view.version() & Segment.SEQUENCE_MAX;
    header.createdMillis = view.createdMillis();
    header.lastUsedMillis = view.lastUsedMillis();
    header.lifespanMillis = view.lifespanMillis();
    header.maxIdleMillis = view.maxIdleMillis();
    header.clientFlags = view.clientFlags();
    header.mediaType = view.mediaType();
    return header;
  }

  /** Makes room for one more; gives the place where its bytes go. */
  private int reserve(int size) {
    int to = Math.addExact(end + Integer.BYTES, size);
    if (to > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.max(to, ROOM_MIN), 2 * bytes.length));
    }
    putInt(bytes, end, size);
    int place = end + Integer.BYTES;
    end = to;
    count++;
    return place;
  }

  private static void putInt(byte[] array, int at, int number) {
    INT.set(array, at, number);
  }

  private static int getInt(byte[] array, int at) {
    return (int) INT.get(array, at);
  }

  /** The entries that were added or taken over. */
  public int count() {
    return count;
  }

  /** What {@link #writeTo} writes, in bytes. */
  public int sizeBytes() {
    return end - start;
  }

  /** What all versions have in common. */
  public long epochBits() {
    return epochBits;
  }

  /**
   * Forgets all entries, so that others can be added in the same room. Windows on those before show
   * nothing defined from then on.
   *
   * @param keptBytesMax the size above which the array is given up
   */
  public void clear(int keptBytesMax) {
    if (bytes.length > keptBytesMax) {
      bytes = NONE;
    }
    end = start;
    at = start;
    count = 0;
    unlisted = null;
  }

  /** Forgets all entries that were added since there were so many, of so many bytes. */
  public void truncate(int sizeBytes, int count) {
    this.end = start + Objects.checkIndex(sizeBytes, end - start + 1);
    this.count = count;
    if (unlisted != null) {
      unlisted.tailMap(end, true).clear();
    }
  }

  /**
   * Writes the entries to an array.
   *
   * @throws InvalidRequestException if one of them has a value that a walk does not copy
   */
  public void writeTo(byte[] target, int offset) {
    checkWhole();
    System.arraycopy(bytes, start, target, offset, end - start);
  }

  private void checkWhole() {
    if (unlisted != null && !unlisted.isEmpty()) {
      throw unlisted.firstEntry().getValue().refusal();
    }
  }

  /**
   * Some bytes, and behind them the entries as {@link #writeTo} writes them: without a copy of the
   * entries if there is room for the bytes before them. No entry is added from then on.
   *
   * @param head copied
   * @throws InvalidRequestException if one of them has a value that a walk does not copy
   */
  public ByteString behind(ByteString head) {
    checkWhole();
    int from = start - head.length();
    if (from >= 0 && end <= bytes.length) {
      head.copyTo(bytes, from);
      return ByteString.of(bytes, from, end - from);
    }
    byte[] whole = new byte[head.length() + sizeBytes()];
    head.copyTo(whole, 0);
    if (sizeBytes() > 0) {
      writeTo(whole, head.length());
    }
    return ByteString.of(whole);
  }

  /**
   * The array that the entries are in, from its beginning; only for one that they are added to, and
   * without a head.
   */
  public byte[] array() {
    return bytes;
  }

  /** Whether {@link #next} showed all entries. */
  public boolean isAtEnd() {
    return at == end;
  }

  /** A new window on the first entry; only for one that entries are added to, of which one was. */
  public EntryView<BinaryKey, Bytes> first() {
    BinaryView first = new BinaryView();
    point(first, start + ENTRY_OVERHEAD);
    return first;
  }

  private void point(BinaryView window, int place) {
    UnlistedValue large = unlisted == null ? null : unlisted.get(place);
    if (large == null) {
      window.point(bytes, place, epochBits);
    } else {
      window.pointWithValue(bytes, place, large, epochBits);
    }
  }

  /**
   * Moves a window to the next entry; what it shows stays as it is until it is moved.
   *
   * @return whether there was one
   */
  public boolean next(EntryView<?, ?> window) {
    int place = nextPlace();
    if (place < 0) {
      return false;
    }
    point((BinaryView) window, place);
    return true;
  }

  /** Moves behind the next entry; gives its place in the array, or -1 if there is none. */
  int nextPlace() {
    if (at == end) {
      return -1;
    }
    int entry = at + Integer.BYTES;
    int size = sizeAt(entry);
    Objects.checkFromIndexSize(entry, size, end);
    at = entry + size;
    return entry;
  }

  /** The bytes of the entry at a place. */
  int sizeAt(int place) {
    return getInt(bytes, place - Integer.BYTES);
  }
}
