package dev.isogrid.server.memcached;

import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.server.security.Caller;
import java.nio.charset.StandardCharsets;

/**
 * Logins by SASL in the binary protocol: the list of mechanisms, and the steps of a login. For the
 * connection's event loop, or the thread that works for it meanwhile.
 */
final class SaslLogin {
  /** The longest name of a mechanism, as in memcached. */
  static final int MECHANISM_LENGTH_MAX = 32;

  private static final byte[] AUTHENTICATED = Reply.ascii("Authenticated");

  private final Conversation conversation;
  private final BinaryReply reply;

  SaslLogin(Conversation conversation, BinaryReply reply) {
    this.conversation = conversation;
    this.reply = reply;
  }

  /** Replies with the names of this connection's mechanisms. */
  void list() {
    reply.value(Status.OK, Reply.ascii(String.join(" ", conversation.caller.mechanisms())));
  }

  /**
   * Takes a step, which a thread that may block checks.
   *
   * @param isFirst whether it begins a login
   */
  void step(boolean isFirst, String mechanism, byte[] response) {
    conversation.postponeAlone(() -> check(isFirst, mechanism, response));
  }

  private void check(boolean isFirst, String mechanism, byte[] response) {
    Caller caller = conversation.caller;
    try {
      Caller.SaslReply answer =
          isFirst ? caller.begin(mechanism, response) : caller.proceed(mechanism, response);
      if (answer.isComplete()) {
        conversation.counters.authCommands.increment();
        reply.value(Status.OK, AUTHENTICATED);
      } else {
        reply.value(Status.AUTH_CONTINUE, answer.bytes());
      }
    } catch (AccessRefused refusal) {
      conversation.counters.authCommands.increment();
      conversation.counters.authErrors.increment();
      if (refusal.reason() == AccessRefused.Reason.LOGIN_TOO_SOON) {
        byte[] words = refusal.text().getBytes(StandardCharsets.UTF_8);
        reply.value(Status.AUTH_ERROR, words); // the client is told to wait
      } else {
        reply.error(Status.AUTH_ERROR);
      }
    }
  }
}
