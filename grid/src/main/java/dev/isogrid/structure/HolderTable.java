package dev.isogrid.structure;

import dev.isogrid.api.FatalGridException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The holders of the permits of a lock or a semaphore. Immutable.
 *
 * @param permits their number; 1 for a lock
 * @param fence the fence of the latest holder; 0 if there was none
 * @param holders the present holders
 */
record HolderTable(int permits, long fence, List<Holder> holders) {
  /*
   *   layout 1, permits 4, fence 8, holders 4, and each of them:
   *   session length 2, session in UTF-8, number 8, count 4
   *
   * Numbers have their high bytes first.
   */
  private static final int LAYOUT = 1;

  private static final int HEAD_BYTES = 1 + 4 + 8 + 4;
  private static final int HOLDER_BYTES = 2 + 8 + 4;

  /**
   * A holder of permits.
   *
   * @param session the node
   * @param number the number of the acquisition on the node
   * @param count the number of permits, 1 or more
   */
  record Holder(String session, long number, int count) {
    boolean is(String otherSession, long otherNumber) {
      return number == otherNumber && session.equals(otherSession);
    }
  }

  HolderTable {
    holders = List.copyOf(holders);
  }

  /** The number of free permits. */
  int available() {
    return permits - holders.stream().mapToInt(Holder::count).sum();
  }

  /** The sessions with permits. */
  Set<String> sessions() {
    return Set.copyOf(holders.stream().map(Holder::session).toList());
  }

  /** The holder of an acquisition, or null. */
  @Nullable Holder find(String session, long number) {
    return holders.stream().filter(one -> one.is(session, number)).findFirst().orElse(null);
  }

  /** The same without some holders. */
  HolderTable without(Predicate<Holder> gone) {
    return new HolderTable(permits, fence, holders.stream().filter(gone.negate()).toList());
  }

  /** Returns this table with one more holder, which gets the next fence. */
  HolderTable plus(Holder holder) {
    List<Holder> more = new ArrayList<>(holders);
    more.add(holder);
    return new HolderTable(permits, fence + 1, more);
  }

  /** The same with another count for an acquisition; 0 to end it. */
  HolderTable with(String session, long number, int count) {
    List<Holder> changed = new ArrayList<>(holders.size());
    for (Holder one : holders) {
      if (!one.is(session, number)) {
        changed.add(one);
      } else if (count > 0) {
        changed.add(new Holder(session, number, count));
      }
    }
    return new HolderTable(permits, fence, changed);
  }

  byte[] toBytes() {
    List<byte[]> sessions =
        holders.stream().map(one -> one.session.getBytes(StandardCharsets.UTF_8)).toList();
    int size = HEAD_BYTES + sessions.stream().mapToInt(s -> HOLDER_BYTES + s.length).sum();
    ByteBuffer out = ByteBuffer.allocate(size);
    out.put((byte) LAYOUT).putInt(permits).putLong(fence).putInt(holders.size());
    for (int i = 0; i < holders.size(); i++) {
      byte[] session = sessions.get(i);
      out.putShort((short) session.length).put(session);
      out.putLong(holders.get(i).number).putInt(holders.get(i).count);
    }
    return out.array();
  }

  /**
   * Parses the form of {@link #toBytes}.
   *
   * @throws FatalGridException if the bytes are something else
   */
  static HolderTable of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      if (in.get() != LAYOUT) {
        throw unreadable(bytes);
      }
      int permits = in.getInt();
      long fence = in.getLong();
      int count = in.getInt();
      List<Holder> holders = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] session = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(session);
        String name = new String(session, StandardCharsets.UTF_8);
        holders.add(new Holder(name, in.getLong(), in.getInt()));
      }
      return new HolderTable(permits, fence, holders);
    } catch (BufferUnderflowException _) {
      throw unreadable(bytes);
    }
  }

  private static FatalGridException unreadable(byte[] bytes) {
    return new FatalGridException(
        "unreadable entry of a lock: size=%d; do all nodes have the same version?"
            .formatted(bytes.length));
  }
}
