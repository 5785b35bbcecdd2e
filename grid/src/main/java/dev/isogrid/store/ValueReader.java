package dev.isogrid.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Makes an object of the bytes of a value, where they are if that is on the heap. For one thread.
 *
 * @param <R> the kind of object
 */
public abstract class ValueReader<R> {
  /**
   * Small values from outside of the heap are copied to it. What it has may be torn until the read
   * is known to be valid.
   */
  private byte[] room;

  /**
   * Begins with some room.
   *
   * @param roomBytes for values outside of the heap; it grows up to that of a small entry
   */
  protected ValueReader(int roomBytes) {
    this.room = new byte[roomBytes];
  }

  /** Makes sure that there is room for some bytes; what is in it may be lost. */
  final byte[] room(int bytes) {
    if (room.length < bytes) {
      room = new byte[bytes];
    }
    return room;
  }

  /** The room as it was filled last. */
  final byte[] room() {
    return room;
  }

  /**
   * Takes the bytes of a value from outside of the heap, where the reader has a better place for
   * them than its room. They may be torn: {@link #taken} says that they are not.
   *
   * @return whether it took them; if not, they come by {@link #read(byte[], int, int)}
   */
  protected boolean take(MemorySegment memory, long at, int length) {
    return false;
  }

  /**
   * Makes the object of the bytes that were taken last.
   *
   * @return not null
   */
  protected R taken() {
    throw new IllegalStateException("nothing was taken");
  }

  /**
   * Makes the object. Must be short, and must not write to the cache.
   *
   * @param array holds the bytes; borrowed, and not to be changed
   * @return not null
   */
  public abstract R read(byte[] array, int offset, int length);

  /** Makes the object of bytes that are anywhere. */
  public final R read(Bytes bytes) {
    BytesWindow window = new BytesWindow();
    window.point(bytes);
    return read(window.array(), window.offset(), window.length());
  }

  /** A reader that copies the bytes to a new array; for one read. */
  public static ValueReader<byte[]> copying() {
    return new Copying();
  }

  private static final class Copying extends ValueReader<byte[]> {
    Copying() {
      super(0);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // whether it is the copy that was made already
    public byte[] read(byte[] array, int offset, int length) {
      return array == room() && length == array.length
          ? array
          : Arrays.copyOfRange(array, offset, offset + length);
    }
  }
}
