package dev.isogrid.server.memcached;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.Subscription;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.Change;
import dev.isogrid.engine.ChangeListener;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code watch}: turns the connection into a watcher. For the connection's event loop,
 * or the thread that works for it meanwhile.
 */
final class Watch {
  private static final byte[] TOO_MANY = Reply.line("WATCHER_TOO_MANY log watcher limit reached");

  private final Conversation conversation;
  private final Channel channel;
  private final Watchers watchers;
  private final Runnable started;
  private @Nullable Watcher watcher;
  private @Nullable Subscription evictions;

  /**
   * Makes the command of a connection.
   *
   * @param started runs when the connection is a watcher
   */
  Watch(Conversation conversation, Channel channel, Runnable started) {
    this.started = started;
    this.conversation = conversation;
    this.channel = channel;
    this.watchers = conversation.endpoint.watchers();
  }

  /** {@code watch [fetchers] [mutations] [evictions] [connevents]}; fetchers is the default. */
  void begin() {
    int kinds = kinds();
    if (kinds == 0) {
      conversation.reply(Reply.ERROR);
      return;
    }
    conversation.onCache(() -> subscribe(kinds));
  }

  private int kinds() {
    CommandLine line = conversation.line;
    int words = line.split();
    int kinds = words == 1 ? Watchers.FETCHERS : 0;
    for (int word = 1; word < words; word++) {
      int kind =
          switch (line.text(word)) {
            case "fetchers" -> Watchers.FETCHERS;
            case "mutations" -> Watchers.MUTATIONS;
            case "evictions" -> Watchers.EVICTIONS;
            case "connevents" -> Watchers.CONNECTIONS;
            default -> 0;
          };
      if (kind == 0) {
        return 0;
      }
      kinds |= kind;
    }
    return kinds;
  }

  private void subscribe(int kinds) {
    Watcher made = new Watcher(watchers, channel, kinds);
    if ((kinds & Watchers.EVICTIONS) != 0) {
      CacheEngine<BinaryKey, Bytes> engine = conversation.engine();
      evictions = engine.addListener(new Evictions(made, conversation.form()));
    }
    if (!watchers.tryAdd(made)) {
      close();
      conversation.reply(TOO_MANY);
      return;
    }
    watcher = made;
    started.run();
    made.open(Reply.OK); // not as other replies, which could come after the first line
  }

  /** Ends the watch, or does nothing. */
  void close() {
    Watcher known = watcher;
    if (known != null) {
      watcher = null;
      watchers.remove(known);
    }
    Subscription subscription = evictions;
    if (subscription != null) {
      evictions = null;
      subscription.close();
    }
  }

  /** Notifies a watcher of evicted entries. */
  private final class Evictions implements ChangeListener<BinaryKey, Bytes> {
    private final Watcher told;
    private final StoredForm form;

    Evictions(Watcher told, StoredForm form) {
      this.told = told;
      this.form = form;
    }

    @Override
    public void onChange(Change<BinaryKey, Bytes> change) {
      if (change.kind() != CacheEvent.Kind.EVICTED) {
        return;
      }
      StringBuilder text = new StringBuilder("type=eviction key=");
      KeyText.append(text, form.shownKey(change.key().toByteArray()));
      EntryView<BinaryKey, Bytes> before = change.before();
      long nowMillis = conversation.endpoint.nowMillis();
      boolean isKnown = before.isPresent();
      long leftMillis = isKnown ? before.remainingLifespanMillis(nowMillis) : -1;
      text.append(" fetch=no ttl=").append(leftMillis < 0 ? -1 : leftMillis / 1000);
      text.append(" la=0 clsid=1 size=").append(isKnown ? before.value().length() : 0);
      watchers.tellOne(told, text.toString());
    }

    @Override
    public void afterChange(int segment) {}
  }
}
