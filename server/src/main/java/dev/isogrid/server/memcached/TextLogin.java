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

  private final Conversation conversation;

  TextLogin(Conversation conversation) {
    this.conversation = conversation;
  }

  /**
   * Takes the block that begins at the reader's index, and moves on after it and its end. A thread
   * that may block checks the password.
   */
  void take(ByteBuf in, int length) {
    int start = in.readerIndex();
    in.skipBytes(length + BlockCommand.BLOCK_END_BYTES);
    boolean ended = in.getByte(start + length) == '\r' && in.getByte(start + length + 1) == '\n';
    String text = in.toString(start, length, StandardCharsets.UTF_8);
    int blank = text.indexOf(' ');
    if (!ended || blank <= 0 || blank == text.length() - 1) {
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
