package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.EntryView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The number of 64 bits that two nodes compare in place of an entry. */
final class EntryPrint {
  /*
   * A version is that of one write, even if the write is lost, so key and version say what the
   * value is. A touch changes the times and keeps the version, so the times that all replicas have
   * are in the number as well; the last use is the primary's own. The seed is another one for each
   * copy, so nobody can choose keys that are mistaken for each other.
   */
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final long FACTOR = 0x9FB21C651E98DF25L;

  private EntryPrint() {}

  /** Returns the hash of a key. */
  static long ofKey(long seed, BinaryKey key) {
    byte[] bytes = key.toByteArray();
    long hash = mixed(seed ^ bytes.length);
    int whole = bytes.length & -Long.BYTES;
    for (int i = 0; i < whole; i += Long.BYTES) {
      hash = mixed(hash ^ (long) LONGS.get(bytes, i));
    }
    long rest = 0;
    for (int i = whole; i < bytes.length; i++) {
      rest = (rest << Byte.SIZE) | (bytes[i] & 0xFF);
    }
    return mixed(hash ^ rest);
  }

  /** Returns the number of an entry, from the hash of its key and its place in the order. */
  static long of(long keyHash, long seq, EntryView<?, ?> entry) {
    long print = mixed(keyHash ^ seq);
    if (entry.isMortal()) {
      print = mixed(print ^ entry.createdMillis());
      print = mixed(print ^ entry.lifespanMillis());
      print = mixed(print ^ entry.maxIdleMillis());
    }
    return print;
  }

  /** Returns a number all of whose bits depend on all bits of another one. */
  static long mixed(long number) {
    long mixed = (number ^ (number >>> 28)) * FACTOR;
    mixed = (mixed ^ (mixed >>> 32)) * FACTOR;
    return mixed ^ (mixed >>> 29);
  }
}
