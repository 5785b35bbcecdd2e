package dev.isogrid.server.memcached;

/**
 * Removes all entries, now or later: the meaning of flush_all in all protocols. For the
 * connection's event loop, or the thread that works for it meanwhile.
 */
final class Flush {
  private final Conversation conversation;
  private final Runnable reply;
  private final Runnable clearing = this::clear;

  /**
   * Makes the command of a connection.
   *
   * @param reply replies that the flush is done, or will be
   */
  Flush(Conversation conversation, Runnable reply) {
    this.conversation = conversation;
    this.reply = reply;
  }

  /**
   * Flushes. A time in the past flushes at once, unless it is before the start of the server.
   *
   * @param seconds relative or absolute as in {@link Exptime}; 0 or less for now
   */
  void after(long seconds) {
    MemcachedEndpoint endpoint = conversation.endpoint;
    FlushTimer timer = endpoint.flushTimer();
    if (seconds > 0) {
      long nowMillis = endpoint.nowMillis();
      long momentMillis = Exptime.momentMillis(seconds, nowMillis);
      if (momentMillis > nowMillis) {
        timer.flushAfter(momentMillis - nowMillis);
        reply.run();
        return;
      }
      if (momentMillis <= endpoint.context().startedMillis()) {
        timer.cancel();
        reply.run();
        return;
      }
    }
    timer.cancel();
    conversation.onCache(clearing);
  }

  private void clear() {
    conversation.engine().clear();
    reply.run();
  }
}
