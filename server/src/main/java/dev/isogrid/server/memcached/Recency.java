package dev.isogrid.server.memcached;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The last uses of entries by memcached clients of this server, for the flags {@code h} and {@code
 * l} of {@code mg}. Thread-safe.
 */
final class Recency {
  /*
   * An entry has no room for this, so a table of fixed size has it, and forgets. It begins with the
   * first request for it, and an entry whose slot another one took counts as unused. A slot has a
   * fingerprint of the key's hash and the entry's version, so that a new version starts afresh. It
   * also has the second of the last use, and whether that was a read. It is one word: concurrent
   * uses leave one of them.
   */

  /** The number of slots: for some ten thousand used entries, in 512 KiB. */
  private static final int SLOTS = 1 << 16;

  private static final int PRINT_SHIFT = 32;
  private static final long SECONDS_MASK = 0x7FFF_FFFFL;
  private static final long READ = 1L << 31;
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  /** Null until the first request. */
  private volatile @Nullable AtomicLongArray slots; // written under the lock of this

  private volatile long beganSeconds; // written before slots

  /** Begins to record uses, if it has not begun. */
  synchronized void begin(long nowMillis) {
    if (slots == null) {
      beganSeconds = TimeUnit.MILLISECONDS.toSeconds(nowMillis);
      slots = new AtomicLongArray(SLOTS);
    }
  }

  /** Whether uses are recorded. */
  boolean isOn() {
    return slots != null;
  }

  /** Records a use of an entry. */
  void note(int keyHash, long version, boolean isRead, long nowMillis) {
    AtomicLongArray table = slots;
    if (table != null) {
      long print = print(keyHash, version);
      long seconds = TimeUnit.MILLISECONDS.toSeconds(nowMillis) & SECONDS_MASK;
      long word = (print << PRINT_SHIFT) | (isRead ? READ : 0) | seconds;
      table.setOpaque(slot(keyHash), word);
    }
  }

  /** Whether an entry was read, as far as that is known. */
  boolean wasRead(int keyHash, long version) {
    return (find(keyHash, version) & READ) != 0;
  }

  /**
   * The seconds since the last use of an entry.
   *
   * @param createdMillis its creation; negative if unknown
   */
  long idleSeconds(int keyHash, long version, long createdMillis, long nowMillis) {
    long word = find(keyHash, version);
    long known = createdMillis < 0 ? beganSeconds : TimeUnit.MILLISECONDS.toSeconds(createdMillis);
    long since = word == 0 ? known : word & SECONDS_MASK;
    return Math.max(0, TimeUnit.MILLISECONDS.toSeconds(nowMillis) - since);
  }

  private long find(int keyHash, long version) {
    AtomicLongArray table = slots;
    long word = table == null ? 0 : table.getOpaque(slot(keyHash));
    return word >>> PRINT_SHIFT == print(keyHash, version) ? word : 0;
  }

  private static int slot(int keyHash) {
    return (int) ((keyHash * MULTIPLIER) >>> 48);
  }

  /** A fingerprint of 32 bits. */
  private static long print(int keyHash, long version) {
    return ((version ^ ((long) keyHash << PRINT_SHIFT)) * MULTIPLIER) >>> PRINT_SHIFT;
  }
}
