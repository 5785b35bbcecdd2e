package dev.isogrid.cluster;

import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.ProtocolVersions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Writes the parts of messages as {@link MessageLayout} has them. Not thread-safe. */
public final class MessageWriter {
  private static final int INITIAL_BYTES = 128;
  private static final int TEXT_BYTES_MAX = 0xFFFF;

  /** Room that is kept for the next message; most take a small part of it. */
  private static final int KEPT_BYTES_MAX = 1 << 20;

  /** Written by the codec of each message. */
  private int version = ProtocolVersions.OF_BUILD.newest();

  private ByteBuffer buffer = ByteBuffer.allocate(INITIAL_BYTES);

  /** What follows the buffer's bytes and ends the message; null for nothing. */
  private @Nullable ByteString tail;

  /** The version of the protocol in which messages are to be written. */
  public int version() {
    return version;
  }

  /** Sets the version of the protocol in which the next message is to be written. */
  public void version(int ofTheNext) {
    version = ofTheNext;
  }

  /** Writes the lowest 8 bits. */
  public void putByte(int value) {
    reserve(Byte.BYTES).put((byte) value);
  }

  /** Writes 0 or 1. */
  public void putBoolean(boolean value) {
    putByte(value ? 1 : 0);
  }

  /** Writes the lowest 16 bits. */
  public void putShort(int value) {
    reserve(Short.BYTES).putShort((short) value);
  }

  /** Writes 32 bits. */
  public void putInt(int value) {
    reserve(Integer.BYTES).putInt(value);
  }

  /** Writes 64 bits. */
  public void putLong(long value) {
    reserve(Long.BYTES).putLong(value);
  }

  /** Writes the bits of a number. */
  public void putFloat(float value) {
    putInt(Float.floatToIntBits(value));
  }

  /** Writes a node. */
  public void putNode(NodeId node) {
    putLong(node.high());
    putLong(node.low());
  }

  /** Writes up to 65,535 nodes with their number. */
  public void putNodes(Collection<NodeId> nodes) {
    putShort(checked("nodes", nodes.size(), MessageLayout.NODES_MAX));
    nodes.forEach(this::putNode);
  }

  /** Writes a short text with its length. */
  public void putText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    putShort(checked("text", bytes.length, TEXT_BYTES_MAX));
    reserve(bytes.length).put(bytes);
  }

  /** Writes bytes with their length. */
  public void putBytes(ByteString bytes) {
    putInt(bytes.length());
    int at = reserve(bytes.length()).position();
    bytes.copyTo(buffer.array(), at);
    buffer.position(at + bytes.length());
  }

  /**
   * Writes a part of an array with its length.
   *
   * @param isLast whether nothing follows, so that there need be no room for more
   */
  public void putBytes(byte[] array, int from, int length, boolean isLast) {
    putInt(length);
    if (isLast) {
      grow(length, 1);
    }
    reserve(length).put(array, from, length);
  }

  /**
   * Writes bytes with their length, which are the last of the message: nothing may be written
   * behind them. They are not copied before the message is sent.
   */
  public void putLastBytes(ByteString bytes) {
    putInt(bytes.length());
    checked("length", buffer.position() + bytes.length(), MessageLayout.MESSAGE_BYTES_MAX);
    tail = bytes;
  }

  /** Forgets what was written, and keeps its room for the next message unless that is large. */
  void clear() {
    tail = null;
    if (buffer.capacity() > KEPT_BYTES_MAX) {
      buffer = ByteBuffer.allocate(INITIAL_BYTES);
    } else {
      buffer.clear();
    }
  }

  /** The number of bytes that were written since the last {@link #clear}, without the tail. */
  int length() {
    return buffer.position();
  }

  /** Has them at its begin; valid until the next write or {@link #clear}. */
  byte[] array() {
    return buffer.array();
  }

  /** What {@link #putLastBytes} wrote behind its length; null if nothing. */
  @Nullable ByteString tail() {
    return tail;
  }

  /**
   * Returns what was written, in an array that this does not change any more. Not to be called in
   * turns with {@link #clear}.
   *
   * @throws IllegalArgumentException if it is longer than a message may be
   */
  public byte[] toByteArray() {
    ByteString last = tail;
    if (last != null) {
      byte[] whole = Arrays.copyOf(buffer.array(), buffer.position() + last.length());
      last.copyTo(whole, buffer.position());
      return whole;
    }
    return buffer.hasRemaining()
        ? Arrays.copyOf(buffer.array(), buffer.position())
        : buffer.array();
  }

  /**
   * A number that is within its limit.
   *
   * @throws IllegalArgumentException if it is not
   */
  static int checked(String what, int number, int numberMax) {
    if (number < 0 || number > numberMax) {
      throw new IllegalArgumentException(
          "beyond the limit of a message: %s=%d, max=%d".formatted(what, number, numberMax));
    }
    return number;
  }

  private ByteBuffer reserve(int length) {
    grow(length, 2);
    return buffer;
  }

  /** Makes room; so many times what is needed, if there is none yet. */
  private void grow(int length, int times) {
    assert tail == null : "behind the last bytes";
    if (buffer.remaining() < length) {
      int needed = checked("length", buffer.position() + length, MessageLayout.MESSAGE_BYTES_MAX);
      int capacity = Math.min(times * needed, MessageLayout.MESSAGE_BYTES_MAX);
      ByteBuffer greater = ByteBuffer.allocate(capacity);
      greater.put(buffer.flip());
      buffer = greater;
    }
  }
}
