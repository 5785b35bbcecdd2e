package dev.isogrid.cluster;

import dev.isogrid.topology.ProtocolVersions;

/** How messages become bytes. {@link MessageLayout} has the picture. Thread-safe. */
public interface MessageCodec {
  /**
   * Writes a message behind what {@code out} has, on any thread.
   *
   * @throws IllegalArgumentException if the message is of a kind that this codec does not know, or
   *     beyond a limit of the layout; a part of it may be written then
   */
  void encode(Message message, MessageWriter out);

  /**
   * Encodes a message.
   *
   * @return a new array, which the caller owns
   * @throws IllegalArgumentException as above
   */
  default byte[] encode(Message message) {
    MessageWriter out = new MessageWriter();
    encode(message, out);
    return out.toByteArray();
  }

  /**
   * Returns about the bytes of what a message carries, without encoding it; 0 if it is small or has
   * parts that live on anyhow. Bounds the memory that waits to be sent.
   */
  default int sizeBytes(Message message) {
    return 0;
  }

  /**
   * Whether a message is part of a stream: it may wait until the receiver takes it, so that a slow
   * one is not flooded. Others are small or rare, and overtake these.
   */
  boolean isStream(Message message);

  /** Whether a message of a type keeps the array that it was decoded from. */
  default boolean keepsArray(int type) {
    return false;
  }

  /** The versions of the protocol that this reads. */
  default ProtocolVersions speaks() {
    return ProtocolVersions.OF_BUILD;
  }

  /**
   * Says in which version messages are to be written from now on; in the oldest before that.
   *
   * @param version one of those that this reads
   */
  default void write(int version) {}

  /**
   * Decodes a message, which keeps no reference to the array unless {@link #keepsArray} says so.
   * What it allocates is bounded by a small multiple of the length, whatever the bytes are.
   *
   * @param array borrowed
   * @throws MalformedMessageException if the bytes are no message
   */
  Message decode(byte[] array, int offset, int length) throws MalformedMessageException;
}
