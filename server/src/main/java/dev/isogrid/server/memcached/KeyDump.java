package dev.isogrid.server.memcached;

import dev.isogrid.engine.EntryWalk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lists the keys of the cache, part by part: {@code lru_crawler metadump} and {@code stats
 * cachedump}. A key that exists throughout is listed exactly once. For a thread that may block.
 */
final class KeyDump {
  private final Conversation conversation;
  private final StringBuilder text = new StringBuilder();
  private boolean isForCrawler;
  private long left;
  private @Nullable EntryWalk<BinaryKey, Bytes> walk;
  private @Nullable EntryView<BinaryKey, Bytes> view;

  KeyDump(Conversation conversation) {
    this.conversation = conversation;
  }

  /** Prepares {@code lru_crawler metadump}. */
  void beginMetadump() {
    isForCrawler = true;
    left = Long.MAX_VALUE;
  }

  /**
   * Prepares {@code stats cachedump}.
   *
   * @param limit the most keys, or 0 for all
   */
  void beginCachedump(long limit) {
    isForCrawler = false;
    left = limit == 0 ? Long.MAX_VALUE : limit;
  }

  /** Writes as much as the output has room for; returns whether the list is complete. */
  boolean writePart() {
    EntryWalk<BinaryKey, Bytes> entries = walk;
    if (entries == null) {
      entries = conversation.engine().walk();
      walk = entries;
      view = conversation.engine().newView();
    }
    EntryView<BinaryKey, Bytes> entry = Objects.requireNonNull(view);
    while (conversation.output.hasRoom()) {
      if (left == 0 || !entries.next(entry)) {
        close();
        conversation.reply(Reply.END);
        return true;
      }
      write(entry);
    }
    return false;
  }

  /** Ends the list early, or does nothing. */
  void close() {
    EntryWalk<BinaryKey, Bytes> entries = walk;
    walk = null;
    view = null;
    if (entries != null) {
      entries.close();
    }
  }

  private void write(EntryView<BinaryKey, Bytes> entry) {
    byte[] key = conversation.form().shownKey(entry.key().toByteArray());
    if (!isForCrawler && !isWord(key)) {
      return; // the line could not be read back
    }
    left--;
    text.setLength(0);
    if (isForCrawler) {
      appendForCrawler(entry, key);
    } else {
      appendItem(entry, key);
    }
    conversation.reply(text.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private static boolean isWord(byte[] key) {
    for (byte each : key) {
      if ((each & 0xFF) <= ' ' || each == 0x7F) {
        return false;
      }
    }
    return key.length > 0;
  }

  private void appendForCrawler(EntryView<BinaryKey, Bytes> entry, byte[] key) {
    text.append("key=");
    KeyText.append(text, key);
    long expirySeconds = expirySeconds(entry);
    conversation.key.set(entry.key().toByteArray(), 0, entry.key().length());
    text.append(" exp=").append(expirySeconds == 0 ? -1 : expirySeconds);
    text.append(" la=").append(usedSeconds(entry));
    text.append(" cas=").append(Long.toUnsignedString(conversation.casOf(entry.version())));
    text.append(" fetch=no cls=1 size=");
    int valueLength = conversation.form().shownLength(entry.value());
    text.append(ItemSize.of(valueLength, key.length, entry.clientFlags())).append('\n');
  }

  private void appendItem(EntryView<BinaryKey, Bytes> entry, byte[] key) {
    text.append("ITEM ").append(new String(key, StandardCharsets.ISO_8859_1)).append(" [");
    text.append(conversation.form().shownLength(entry.value())).append(" b; ");
    text.append(expirySeconds(entry)).append(" s]\r\n");
  }

  /** The end of an entry's lifespan, in seconds since 1970; 0 if it has none. */
  private long expirySeconds(EntryView<BinaryKey, Bytes> entry) {
    long nowMillis = conversation.endpoint.nowMillis();
    long leftMillis = entry.remainingLifespanMillis(nowMillis);
    return leftMillis < 0 ? 0 : TimeUnit.MILLISECONDS.toSeconds(nowMillis + leftMillis);
  }

  /** The last known use of an entry, or the server's start, in seconds since 1970. */
  private long usedSeconds(EntryView<BinaryKey, Bytes> entry) {
    long knownMillis =
        entry.isMortal() ? entry.createdMillis() : conversation.endpoint.context().startedMillis();
    return TimeUnit.MILLISECONDS.toSeconds(knownMillis);
  }
}
