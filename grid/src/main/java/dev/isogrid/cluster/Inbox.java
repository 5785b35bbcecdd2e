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

  /** The bytes of a message, borrowed from JGroups, which does not use them any more. */
  static final class Packet {
    final NodeId from;
    final byte[] array;
    final int offset;
    final int length;

    Packet(NodeId from, byte[] array, int offset, int length) {
      this.from = from;
      this.array = array;
      this.offset = offset;
      this.length = length;
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
    int type = MessageLayout.type(packet.array, packet.offset, packet.length);
    (type < MessageLayout.FIRST_SEGMENT_TYPE ? ofMembers : ofSegments).add(packet);
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
