package dev.isogrid.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Something to be sent by one or more links: bytes that are there already, or a message that
 * becomes bytes when a link sends it. Thread-safe.
 */
final class Frame {
  private final @Nullable Message message;
  private final int sizeBytes;

  // written by: the event loop, or the constructor
  private volatile byte @Nullable [] bytes;

  // written by: the thread that sends the message to a second node
  private volatile boolean isShared;

  private Frame(@Nullable Message message, byte @Nullable [] bytes, int sizeBytes) {
    this.message = message;
    this.bytes = bytes;
    this.sizeBytes = sizeBytes;
  }

  /**
   * Bytes.
   *
   * @param bytes not changed from now on
   */
  static Frame of(byte[] bytes) {
    return new Frame(null, bytes, bytes.length);
  }

  /**
   * A message.
   *
   * @param sizeBytes about the bytes that it carries
   */
  static Frame of(Message message, int sizeBytes) {
    return new Frame(message, null, sizeBytes);
  }

  /** The message, or null if it is bytes. */
  @Nullable Message message() {
    return message;
  }

  /** About its bytes, as they are known before it is encoded. */
  int sizeBytes() {
    return sizeBytes;
  }

  /** Several links send it from now on, so that its bytes are worth keeping. */
  void share() {
    isShared = true;
  }

  boolean isShared() {
    return isShared;
  }

  /** Its bytes, or null if it is a message and nobody keeps them. */
  byte @Nullable [] bytes() {
    return bytes;
  }

  /** Keeps the bytes of the message for the other links that send it. */
  void keep(byte[] encoded) {
    bytes = encoded;
  }
}
