package dev.isogrid.server.memcached;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The line of a meta command: key, flags, and the parts of its reply. Reusable; for one thread. */
final class MetaLine {
  private static final int BASE64_QUANTUM = 4;

  final Conversation conversation;
  final MetaFlags flags = new MetaFlags();
  final MetaReply reply;
  private final BooleanSupplier keyDecoder = this::decodeKey;
  private int keyStart;
  private int keyLength;

  /** The length of the key, decoded if it was in Base64. */
  private int ownKeyLength;

  MetaLine(Conversation conversation) {
    this.conversation = conversation;
    this.reply = new MetaReply(conversation, flags);
  }

  /**
   * Moves on to the key.
   *
   * @return null, or the error for the reply
   */
  byte @Nullable [] takeKey() {
    CommandLine line = conversation.line;
    if (!line.next()) {
      return Reply.ERROR;
    }
    keyStart = line.start();
    keyLength = line.length();
    reply.key(keyStart, keyLength);
    return keyLength > Conversation.KEY_LENGTH_MAX ? Reply.BAD_FORMAT : null;
  }

  /**
   * Takes the flags, which follow the line's current word, and sets the current key.
   *
   * @return null, or the error for the reply
   */
  byte @Nullable [] takeFlags() {
    conversation.setKey(conversation.line.bytes(), keyStart, keyLength);
    ownKeyLength = keyLength;
    return flags.take(conversation.line, keyDecoder);
  }

  /**
   * Sets the current key of {@code me}, which only looks for {@code b}; returns whether it could.
   */
  boolean takeMark() {
    CommandLine line = conversation.line;
    conversation.setKey(line.bytes(), keyStart, keyLength);
    ownKeyLength = keyLength;
    boolean isBase64 = line.next() && line.length() == 1 && line.bytes()[line.start()] == 'b';
    return !isBase64 || decodeKey();
  }

  private boolean decodeKey() {
    if (keyLength % BASE64_QUANTUM != 0) {
      return false;
    }
    byte[] encoded = new byte[keyLength];
    System.arraycopy(conversation.line.bytes(), keyStart, encoded, 0, keyLength);
    try {
      byte[] key = Base64.getDecoder().decode(encoded);
      conversation.setKey(key, 0, key.length);
      ownKeyLength = key.length;
      return true;
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }

  /** The key as it was sent, one character per byte. */
  String keyText() {
    return new String(conversation.line.bytes(), keyStart, keyLength, StandardCharsets.ISO_8859_1);
  }

  /** The length of the key, decoded if it was in Base64. */
  int ownKeyLength() {
    return ownKeyLength;
  }

  /** Replies with a code and the requested parts of key and token. */
  void send(byte[] code) {
    reply.begin(code).flags("").send();
  }
}
