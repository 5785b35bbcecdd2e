package dev.isogrid.server.memcached;

import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;

/**
 * Removes the entry of the current key: the meaning of delete in all protocols. For the
 * connection's event loop, or the thread that works for it meanwhile.
 */
final class Deletion {
  private final Conversation conversation;
  private final KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();

  Deletion(Conversation conversation) {
    this.conversation = conversation;
  }

  /**
   * Removes the entry.
   *
   * @param casUnique the cas unique that it must have; 0 for any
   */
  KeyWrite.Outcome perform(long casUnique) {
    write.remove();
    if (casUnique != 0) {
      write.whenVersion(conversation.versionOf(casUnique));
    }
    conversation.write(write);
    return counted(write.outcome());
  }

  /** Counts the outcome of a deletion. */
  KeyWrite.Outcome counted(KeyWrite.Outcome outcome) {
    Counters counters = conversation.counters;
    switch (outcome) {
      case DONE, KEY_PRESENT -> counters.deleteHits.increment();
      case KEY_ABSENT -> counters.deleteMisses.increment();
      case OTHER_VERSION -> {}
    }
    return outcome;
  }
}
