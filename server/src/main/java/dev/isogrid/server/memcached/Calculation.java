package dev.isogrid.server.memcached;

import dev.isogrid.structure.Arithmetic;

/**
 * Changes the number of the current key: the meaning of incr and decr in all protocols. For the
 * connection's event loop, or the thread that works for it meanwhile.
 */
final class Calculation {
  private final Conversation conversation;
  private final Arithmetic arithmetic = new Arithmetic();
  private long newCas;

  Calculation(Conversation conversation) {
    this.conversation = conversation;
  }

  /** The operation, and afterwards its result. */
  Arithmetic arithmetic() {
    return arithmetic;
  }

  /**
   * Executes {@link #arithmetic}.
   *
   * @param casUnique the cas unique that the entry must have; 0 for any
   */
  Arithmetic.Outcome perform(long casUnique) {
    conversation.engine(); // finds the form
    arithmetic.of(conversation.form()).expecting(conversation.versionOf(casUnique));
    newCas = conversation.casOf(conversation.write(arithmetic));
    Counters counters = conversation.counters;
    boolean isIncrement = arithmetic.isIncrement();
    switch (arithmetic.outcome()) {
      case DONE -> (isIncrement ? counters.incrHits : counters.decrHits).increment();
      case MADE, NO_ENTRY -> (isIncrement ? counters.incrMisses : counters.decrMisses).increment();
      case OTHER_VERSION, NO_NUMBER -> {}
    }
    if (arithmetic.outcome() == Arithmetic.Outcome.MADE && conversation.watch.wantsStores()) {
      int length = Long.toUnsignedString(arithmetic.result()).length();
      conversation.watch.stored("stored", Command.ADD, arithmetic.leftMillis(), length);
    }
    return arithmetic.outcome();
  }

  /** The cas unique of the new number, if there is one. */
  long newCas() {
    return newCas;
  }
}
