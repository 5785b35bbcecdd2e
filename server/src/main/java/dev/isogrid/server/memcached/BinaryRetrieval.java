package dev.isogrid.server.memcached;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;

/**
 * The requests get, touch, and get and touch of the binary protocol. For the connection's event
 * loop, or the thread that works for it meanwhile.
 */
final class BinaryRetrieval extends Lookup {
  private static final Bytes NO_VALUE = Bytes.of(new byte[0]);

  private final BinaryReply reply;
  private boolean withValue;
  private byte[] key = {};
  private int keyLength;

  BinaryRetrieval(Conversation conversation, BinaryReply reply) {
    super(conversation);
    this.reply = reply;
  }

  /**
   * Sets the content of the next reply beside the client flags.
   *
   * @param key the array with the key; borrowed until the reply
   * @param keyLength its length; 0 for no key
   */
  void with(boolean value, byte[] key, int keyLength) {
    this.withValue = value;
    this.key = key;
    this.keyLength = keyLength;
  }

  @Override
  int show(EntryView<BinaryKey, Bytes> entry) {
    Bytes value = withValue ? conversation.form().decoded(entry.value()) : NO_VALUE;
    long cas = conversation.casOf(entry.version());
    return reply.entry(key, keyLength, value, entry.clientFlags(), cas);
  }
}
