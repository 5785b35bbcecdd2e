package dev.isogrid.server.memcached;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The line of a meta command: key, flags, and the parts of its reply. Reusable; for one thread. */
final class MetaLine {
  private static final byte[] BAD_KEY = Reply.line("CLIENT_ERROR error decoding key");
  private static final int BASE64_QUANTUM = 4;

  final Conversation conversation;
  final MetaFlags flags = new MetaFlags();
  final MetaReply reply;
  private int keyStart;
  private int keyLength;

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
    byte[] error = flags.take(conversation.line);
    if (error != null || !flags.has('b')) {
      conversation.setKey(conversation.line.bytes(), keyStart, keyLength);
      return error;
    }
    if (keyLength % BASE64_QUANTUM != 0) {
      return BAD_KEY;
    }
    byte[] encoded = new byte[keyLength];
    System.arraycopy(conversation.line.bytes(), keyStart, encoded, 0, keyLength);
    try {
      byte[] key = Base64.getDecoder().decode(encoded);
      conversation.setKey(key, 0, key.length);
      return null;
    } catch (IllegalArgumentException notBase64) {
      return BAD_KEY;
    }
  }

  /** The key as it was sent, one character per byte. */
  String keyText() {
    return new String(conversation.line.bytes(), keyStart, keyLength, StandardCharsets.ISO_8859_1);
  }

  /** Replies with a code and the requested parts of key and token. */
  void send(byte[] code) {
    reply.begin(code).flags("").send();
  }
}
