package dev.isogrid.cluster;

import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.ProtocolVersions;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the parts of messages as {@link MessageLayout} has them, and believes nothing: a number of
 * things is taken only if the bytes for them are there. Not thread-safe.
 */
public final class MessageReader {
  private final byte[] array;
  private final ByteBuffer buffer;
  private final int start;

  /** Written by the reader of a header, before the body is read. */
  private int version = ProtocolVersions.OF_BUILD.newest();

  /**
   * Reads a part of an array.
   *
   * @param array borrowed
   * @throws MalformedMessageException if it is longer than a message may be
   */
  public MessageReader(byte[] array, int offset, int length) throws MalformedMessageException {
    this.array = array;
    this.buffer = ByteBuffer.wrap(array, offset, length);
    this.start = offset;
    if (length > MessageLayout.MESSAGE_BYTES_MAX) {
      throw malformed("length", length, "max=" + MessageLayout.MESSAGE_BYTES_MAX);
    }
  }

  /** The version of the protocol in which this is written. */
  public int version() {
    return version;
  }

  /** Sets the version of the protocol in which the rest is written. */
  void version(int ofTheRest) {
    version = ofTheRest;
  }

  /** The error that something at this place is not what it should be. */
  public MalformedMessageException malformed(String field, long value, String expectation) {
    return new MalformedMessageException(
        "malformed message: %s=%d, at=%d, length=%d; %s"
            .formatted(
                field, value, buffer.position() - start, buffer.limit() - start, expectation));
  }

  /** Reads 8 bits, 0 to 255. */
  public int unsignedByte(String field) throws MalformedMessageException {
    return need(field, Byte.BYTES).get() & 0xFF;
  }

  /** Reads 0 or 1. */
  public boolean bool(String field) throws MalformedMessageException {
    int value = unsignedByte(field);
    if (value > 1) {
      throw malformed(field, value, "expected 0 or 1");
    }
    return value == 1;
  }

  /** Reads 16 bits, 0 to 65,535. */
  int unsignedShort(String field) throws MalformedMessageException {
    return need(field, Short.BYTES).getShort() & 0xFFFF;
  }

  /** Reads 32 bits that are a number from 0 to a limit. */
  public int count32(String field, int max) throws MalformedMessageException {
    int value = need(field, Integer.BYTES).getInt();
    if (value < 0 || value > max) {
      throw malformed(field, value, "max=" + max);
    }
    return value;
  }

  /** Reads 32 bits that are a number of things, each of which takes at least some bytes. */
  public int countOf(String field, int bytesMin) throws MalformedMessageException {
    return fitting(field, count32(field, Integer.MAX_VALUE), bytesMin);
  }

  /** A number of things for which there are enough bytes. */
  int fitting(String field, int count, int bytesMin) throws MalformedMessageException {
    if (count > buffer.remaining() / bytesMin) {
      throw malformed(field, count, "the message ends before");
    }
    return count;
  }

  /** Reads any 32 bits. */
  public int int32(String field) throws MalformedMessageException {
    return need(field, Integer.BYTES).getInt();
  }

  /** Reads any 64 bits. */
  public long int64(String field) throws MalformedMessageException {
    return need(field, Long.BYTES).getLong();
  }

  /** Reads 64 bits that are no negative number. */
  public long count64(String field) throws MalformedMessageException {
    long value = int64(field);
    if (value < 0) {
      throw malformed(field, value, "expected 0 or more");
    }
    return value;
  }

  float float32(String field) throws MalformedMessageException {
    return need(field, Float.BYTES).getFloat();
  }

  /** Reads a node. */
  public NodeId node(String field) throws MalformedMessageException {
    need(field, 2 * Long.BYTES);
    return new NodeId(buffer.getLong(), buffer.getLong());
  }

  List<NodeId> nodes(String field) throws MalformedMessageException {
    int count = fitting(field, unsignedShort(field), 2 * Long.BYTES);
    List<NodeId> nodes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      nodes.add(node(field));
    }
    return nodes;
  }

  /** Reads a text; the caller checks its length. */
  public String text(String field) throws MalformedMessageException {
    int length = unsignedShort(field);
    need(field, length);
    ByteBuffer bytes = buffer.slice(buffer.position(), length);
    buffer.position(buffer.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw malformed(field, length, "not UTF-8");
    }
  }

  /** Reads bytes, a copy of them. */
  public ByteString bytes(String field) throws MalformedMessageException {
    int length = countOf(field, 1);
    ByteString bytes = ByteString.copyOf(array, buffer.position(), length);
    buffer.position(buffer.position() + length);
    return bytes;
  }

  /** Reads bytes without a copy: the result keeps the array that is read. */
  public ByteString sharedBytes(String field) throws MalformedMessageException {
    int length = countOf(field, 1);
    ByteString bytes = ByteString.of(array, buffer.position(), length);
    buffer.position(buffer.position() + length);
    return bytes;
  }

  /** Reads bytes without a copy: the result is a part of the array that is read. */
  public ByteBuffer borrowedBytes(String field) throws MalformedMessageException {
    int length = countOf(field, 1);
    ByteBuffer bytes = buffer.slice(buffer.position(), length);
    buffer.position(buffer.position() + length);
    return bytes;
  }

  /** Leaves alone what there may be more. */
  void skipRest() {
    buffer.position(buffer.limit());
  }

  /** Checks that there is nothing more. */
  public void end() throws MalformedMessageException {
    if (buffer.hasRemaining()) {
      throw malformed("rest", buffer.remaining(), "the message should end here");
    }
  }

  private ByteBuffer need(String field, int length) throws MalformedMessageException {
    if (buffer.remaining() < length) {
      throw malformed(field, length, "the message ends before");
    }
    return buffer;
  }
}
