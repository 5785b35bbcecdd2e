package dev.isogrid.server.memcached;

import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;

/**
 * Replies with the entry of the current key, directly from the container: the meaning of get, gat
 * and touch in the text and the binary protocol. For the connection's event loop, or the thread
 * that works for it meanwhile.
 */
abstract class Lookup implements EntryReader<BinaryKey, Bytes> {
  final Conversation conversation;
  private final Touch touch = new Touch(this);
  private int takenBytes;
  private int valueLength;
  private long version;

  Lookup(Conversation conversation) {
    this.conversation = conversation;
  }

  /** Appends the reply for an entry to the output; returns its length. */
  abstract int show(EntryView<BinaryKey, Bytes> entry);

  /**
   * Replies with the entry of the current key; returns false, without a reply, if there is none.
   */
  final boolean get() {
    takenBytes = 0;
    boolean found;
    try {
      found = conversation.read(this);
    } catch (WouldWaitException later) {
      takeBack();
      throw later;
    }
    Counters counters = conversation.counters;
    (found ? counters.getHits : counters.getMisses).increment();
    return ended(found);
  }

  /** As {@link #get}, and gives the entry another lifespan, in milliseconds or unlimited. */
  final boolean getAndTouch(long lifespanMillis) {
    takenBytes = 0;
    return ended(touch.to(lifespanMillis).perform(conversation));
  }

  private boolean ended(boolean found) {
    if (!found) {
      takeBack();
    }
    conversation.output.commit();
    conversation.watch.fetched(found, valueLength);
    if (found) {
      conversation.noteUse(version, true);
    }
    return found;
  }

  /** Takes back the reply of an earlier read, which was not valid. */
  private void takeBack() {
    if (takenBytes > 0) {
      conversation.output.takeBack(takenBytes);
      takenBytes = 0;
    }
  }

  /** Replies with an entry. After several calls for the same key, the last one counts. */
  @Override
  public final void read(EntryView<BinaryKey, Bytes> entry) {
    takeBack();
    valueLength = entry.value().length();
    version = entry.version();
    takenBytes = show(entry);
  }
}
