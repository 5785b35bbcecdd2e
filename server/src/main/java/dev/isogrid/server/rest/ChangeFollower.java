package dev.isogrid.server.rest;

import dev.isogrid.api.CacheChange;
import dev.isogrid.api.GridException;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.ChangeTail;
import dev.isogrid.server.rest.ListingWriter.Form;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of a cache from its store and puts them into a feed, as fast as the client
 * takes them. Ends with the feed or the cache. For one thread, which blocks.
 */
final class ChangeFollower {
  private static final System.Logger log = System.getLogger(ChangeFollower.class.getName());

  /** How long it takes at most until the thread notices that the feed has ended. */
  private static final long WAIT_MILLIS = ConfigurationWatch.PERIOD_MILLIS;

  /** Bytes of key and value, whose text can be six times as long. */
  private static final int LARGE_MIN = 64 << 10;

  private final CacheEngine<BinaryKey, Bytes> cache;
  private final ChangeTail<BinaryKey, Bytes> tail;
  private final EventFeed feed;
  private final boolean isRaw;
  private final @Nullable Form keys;
  private final @Nullable Form values;

  /**
   * Begins.
   *
   * @param tail taken
   * @param isRaw whether keys and values are sent in their stored form, in Base64
   */
  ChangeFollower(
      CacheEngine<BinaryKey, Bytes> cache,
      ChangeTail<BinaryKey, Bytes> tail,
      EventFeed feed,
      Transcoder transcoder,
      boolean isRaw) {
    this.cache = cache;
    this.tail = tail;
    this.feed = feed;
    this.isRaw = isRaw;
    this.keys = ListingWriter.form(transcoder, cache.config().keyMediaType());
    this.values = ListingWriter.form(transcoder, cache.config().valueMediaType());
  }

  /** Runs until the feed ends. */
  void run() {
    try (tail) {
      if (feed.put("cache-changes-begin", tail.token().toString(), "{}")) {
        follow();
      }
    } catch (GridException failure) {
      log.log(
          Level.INFO,
          "changes are not followed any more: cache=%s, reason=%s"
              .formatted(cache.name(), failure.getMessage()));
    } finally {
      feed.breakOff();
    }
  }

  private void follow() {
    while (!feed.isClosed()) {
      CacheChange<BinaryKey, Bytes> change = tail.next(WAIT_MILLIS);
      if (change == null) {
        cache.checkOpen();
        feed.look();
      } else if (!put(change)) {
        return;
      }
    }
  }

  private boolean put(CacheChange<BinaryKey, Bytes> change) {
    String name = name(change.kind());
    String id = change.token().toString();
    return isLarge(change)
        ? feed.putLarge(name, id, () -> text(change))
        : feed.put(name, id, text(change));
  }

  /** Whether the text of a change is so large that not all feeds may make theirs together. */
  private static boolean isLarge(CacheChange<BinaryKey, Bytes> change) {
    BinaryKey key = change.key();
    Bytes value = change.value();
    return (key == null ? 0L : key.length()) + (value == null ? 0 : value.length()) > LARGE_MIN;
  }

  private static String name(CacheChange.Kind kind) {
    return kind == CacheChange.Kind.CLEARED
        ? "cache-segment-cleared"
        : "cache-entry-" + kind.name().toLowerCase(Locale.ROOT);
  }

  private String text(CacheChange<BinaryKey, Bytes> change) {
    ByteBuf json = Unpooled.buffer();
    ByteBufUtil.writeAscii(json, "{\"segment\":" + change.segment());
    BinaryKey key = change.key();
    if (key != null) {
      ByteBufUtil.writeAscii(json, ",\"key\":");
      write(json, key.toByteArray(), keys);
    }
    Bytes value = change.value();
    if (value != null) {
      ByteBufUtil.writeAscii(json, ",\"value\":");
      write(json, value.toByteArray(), values);
      ByteBufUtil.writeAscii(json, ",\"version\":" + change.version());
      if (change.createdMillis() >= 0) {
        ByteBufUtil.writeAscii(
            json,
            ",\"created\":%d,\"lifespanMillis\":%d,\"maxIdleMillis\":%d"
                .formatted(
                    change.createdMillis(), change.lifespanMillis(), change.maxIdleMillis()));
      }
    }
    json.writeByte('}');
    return json.toString(StandardCharsets.UTF_8);
  }

  private void write(ByteBuf json, byte[] stored, @Nullable Form form) {
    if (isRaw) {
      ListingWriter.writeBase64(json, stored);
    } else {
      ListingWriter.writeJson(json, stored, form);
    }
  }
}
