package dev.isogrid.server.memcached;

import dev.isogrid.server.security.AccessRefused;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Memcached's login: a set of any key, before any other command, whose block of bytes is the user's
 * name, a blank and the password. For the connection's event loop, or the thread that works for it
 * meanwhile.
 */
final class TextLogin {
  /** The longest block; longer names and passwords can't log in this way. */
  static final int BLOCK_LENGTH_MAX = 1024;

  /** The least words of the line: the command, a key, two numbers and the length. */
  private static final int WORDS_MIN = 5;

  private static final int LENGTH_WORD = 4;

  private final Conversation conversation;

  /** The length of the block of bytes, without its end. */
  private int length;

  TextLogin(Conversation conversation) {
    this.conversation = conversation;
  }

  /**
   * Takes the line, which is at its command; only the length of its block matters. Returns whether
   * it has one.
   */
  boolean begin() {
    CommandLine line = conversation.line;
    boolean isLogin =
        line.split() >= WORDS_MIN && line.number(LENGTH_WORD, conversation.decimal).isUnsigned();
    long announced = isLogin ? conversation.decimal.number() : -1;
    length = (int) announced;
    return announced >= 0 && announced <= BlockCommand.LENGTH_NUMBER_MAX;
  }

  /** The length of the block of bytes, without its end. */
  int length() {
    return length;
  }

  /**
   * Takes the block that begins at the reader's index, and moves on after it and its end. A thread
   * that may block checks the password.
   */
  void take(ByteBuf in) {
    int start = in.readerIndex();
    in.skipBytes(length + BlockCommand.BLOCK_END_BYTES);
    boolean ended = in.getByte(start + length) == '\r' && in.getByte(start + length + 1) == '\n';
    String text = in.toString(start, length, StandardCharsets.UTF_8);
    int blank = text.indexOf(' ');
    if (!ended) {
      conversation.reply(Reply.BAD_LOGIN_END);
      return;
    }
    if (blank <= 0 || blank == text.length() - 1) {
      conversation.reply(Reply.BAD_LOGIN);
      return;
    }
    conversation.counters.authCommands.increment();
    conversation.postponeAlone(() -> logIn(text.substring(0, blank), text.substring(blank + 1)));
  }

  private void logIn(String user, String password) {
    try {
      conversation.caller.login(user, password, "set");
      conversation.reply(Reply.STORED);
    } catch (AccessRefused refusal) {
      conversation.counters.authErrors.increment();
      boolean isWrong = refusal.reason() == AccessRefused.Reason.LOGIN_FAILED;
      conversation.reply(
          isWrong && refusal.text().startsWith("login failed")
              ? Reply.LOGIN_FAILED
              : Reply.line("CLIENT_ERROR authentication failure: " + refusal.text()));
    }
  }
}
