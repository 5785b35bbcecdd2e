package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Messages that came and were not looked at yet, up to a limit. Those between voters and members
 * come first, so that work that waits makes nobody seem silent. Thread-safe, never blocks.
 */
final class Inbox {
  /** Far more than is on its way in an orderly cluster. */
  private static final int WAITING_MAX = 1 << 16;

  private static final long WAITING_BYTES_MAX = 128L << 20;

  /** A message, or its bytes, borrowed from JGroups, which does not use them any more. */
  static final class Packet {
    private static final byte[] NOTHING = {};

    final NodeId from;

    /** The message, or null if it is still to be decoded. */
    final @Nullable Message message;

    final byte[] array;
    final int offset;
    final int length;

    /** The bytes of a message. */
    Packet(NodeId from, byte[] array, int offset, int length) {
      this(from, null, array, offset, length);
    }

    /**
     * A message.
     *
     * @param length of its bytes
     */
    Packet(NodeId from, Message message, int length) {
      this(from, message, NOTHING, 0, length);
    }

    private Packet(NodeId from, @Nullable Message message, byte[] array, int offset, int length) {
      this.from = from;
      this.message = message;
      this.array = array;
      this.offset = offset;
      this.length = length;
    }

    private boolean isOfMembers() {
      return message == null
          ? MessageLayout.type(array, offset, length) < MessageLayout.FIRST_SEGMENT_TYPE
          : message instanceof MembershipMessage;
    }
  }

  private final ConcurrentLinkedQueue<Packet> ofMembers = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Packet> ofSegments = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingCount = new AtomicInteger();
  private final AtomicLong waitingBytes = new AtomicLong();

  /** Takes a message, or refuses since too many wait. */
  boolean tryAdd(Packet packet) {
    if (waitingCount.get() >= WAITING_MAX || waitingBytes.get() >= WAITING_BYTES_MAX) {
      return false;
    }
    waitingCount.incrementAndGet();
    waitingBytes.addAndGet(packet.length);
    (packet.isOfMembers() ? ofMembers : ofSegments).add(packet);
    return true;
  }

  /** The next message, or null. */
  @Nullable Packet poll() {
    Packet urgent = ofMembers.poll();
    Packet packet = urgent == null ? ofSegments.poll() : urgent;
    if (packet != null) {
      waitingCount.decrementAndGet();
      waitingBytes.addAndGet(-packet.length);
    }
    return packet;
  }

  boolean isEmpty() {
    return ofMembers.isEmpty() && ofSegments.isEmpty();
  }
}
