package dev.isogrid.server.memcached;

import java.util.Locale;

/**
 * Notifies watchers of the commands of a connection on the current key. For the connection's event
 * loop, or the thread that works for it meanwhile.
 */
final class WatchLines {
  private final Conversation conversation;
  private final Watchers watchers;
  private final StringBuilder text = new StringBuilder();

  WatchLines(Conversation conversation) {
    this.conversation = conversation;
    this.watchers = conversation.endpoint.watchers();
  }

  /** Notes a lookup of an entry. */
  void fetched(boolean isFound, int valueLength) {
    if (watchers.want(Watchers.FETCHERS)) {
      begin("item_get").append(isFound ? " status=found clsid=1" : " status=not_found clsid=0");
      tell(Watchers.FETCHERS, isFound ? valueLength : 0);
    }
  }

  /** Whether a watcher receives stores. */
  boolean wantsStores() {
    return watchers.want(Watchers.MUTATIONS);
  }

  /**
   * Notes a store, or its failure.
   *
   * @param lifespanMillis of the new entry, negative for unlimited
   */
  void stored(String status, Command command, long lifespanMillis, int valueLength) {
    if (wantsStores()) {
      begin("item_store")
          .append(" status=")
          .append(status)
          .append(" cmd=")
          .append(command.name().toLowerCase(Locale.ROOT))
          .append(" ttl=")
          .append(lifespanMillis < 0 ? 0 : lifespanMillis / 1000)
          .append(" clsid=1");
      tell(Watchers.MUTATIONS, valueLength);
    }
  }

  private StringBuilder begin(String type) {
    text.setLength(0);
    text.append("type=").append(type).append(" key=");
    byte[] key = conversation.key.toByteArray();
    KeyText.append(text, conversation.isKeyAsSent() ? key : conversation.form().shownKey(key));
    return text;
  }

  private void tell(int kind, int valueLength) {
    text.append(" cfd=").append(conversation.connection());
    text.append(" size=").append(valueLength);
    watchers.tell(kind, text.toString());
  }
}
