package dev.isogrid.server.hotrod;

import dev.isogrid.engine.Bulk;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Segment.Found;
import dev.isogrid.wire.Opcodes;
import io.netty.buffer.ByteBufAllocator;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The operations on many keys at once. Not thread-safe. */
final class BulkOperations {
  /**
   * Keys of a request that an event loop executes itself: some 10 microseconds, which is also the
   * cost of a hand-over to another thread. Larger requests would delay the loop's other
   * connections.
   */
  static final int LOOP_KEYS_MAX = 32;

  /** Bytes of entries that an event loop writes or reads for such a request. */
  static final int LOOP_SIZE_MAX = 64 << 10;

  private final Request request;
  private final Reply reply;
  private final KeyScratch keys;
  private final ValueWrite writes;
  private final ByteBufAllocator allocator;
  private final boolean mayBlock;
  private final FieldCursor cursor = new FieldCursor();
  private final Request.Range key = new Request.Range();
  private final Request.Range value = new Request.Range();

  BulkOperations(
      Request request,
      Reply reply,
      KeyScratch keys,
      ValueWrite writes,
      ByteBufAllocator allocator,
      boolean mayBlock) {
    this.mayBlock = mayBlock;
    this.request = request;
    this.reply = reply;
    this.keys = keys;
    this.writes = writes;
    this.allocator = allocator;
  }

  /** Stores many entries; on an event loop only in a cache that never waits for other nodes. */
  void putAll(CacheHandle cache) {
    String keyType = request.keyMediaType();
    String valueType = request.valueMediaType();
    if (cache.keys.toStored(keyType) != null || cache.values.toStored(valueType) != null) {
      checkConversions(cache, keyType, valueType);
    }
    Bulk<BinaryKey, Bytes> bulk = mayBlock ? cache.engine.bulk() : null;
    int stored = request.storedCount;
    cursor.begin(request);
    for (int i = 0; i < request.count; i++) {
      cursor.next(key);
      cursor.next(value);
      if (i >= stored) {
        put(cache, bulk, keyType, valueType);
        request.storedCount = i + 1;
      }
    }
    if (bulk != null) {
      bulk.await();
    }
    reply.begin(request, cache);
    reply.end();
  }

  private void put(
      CacheHandle cache,
      @Nullable Bulk<BinaryKey, Bytes> bulk,
      @Nullable String keyType,
      @Nullable String valueType) {
    BinaryKey stored = keys.key(key, cache, keyType);
    KeyWrite<BinaryKey, Bytes> write = writes.put(value, cache, valueType);
    if (bulk == null) {
      cache.engine.write(stored, stored.hash(), write, false);
    } else {
      bulk.write(stored, stored.hash(), write);
    }
  }

  /** Converts everything once, so that nothing is stored if a conversion fails. */
  private void checkConversions(
      CacheHandle cache, @Nullable String keyType, @Nullable String valueType) {
    cursor.begin(request);
    for (int i = 0; i < request.count; i++) {
      cursor.next(key);
      cursor.next(value);
      keys.key(key, cache, keyType);
      writes.value(value, cache, valueType);
    }
  }

  /** Returns whether storing the request's entries takes too long for an event loop. */
  boolean isLongPutAll() {
    cursor.begin(request);
    long size = 0;
    for (int i = 0; i < request.count && i <= LOOP_KEYS_MAX; i++) {
      cursor.next(key);
      cursor.next(value);
      size += key.length + value.length;
    }
    return request.count > LOOP_KEYS_MAX || size > LOOP_SIZE_MAX;
  }

  /**
   * Returns whether reading the request's keys takes too long for an event loop, or may have to
   * wait for other nodes.
   */
  boolean isLongGetAll(CacheHandle cache) {
    if (request.count > LOOP_KEYS_MAX) {
      return true;
    }
    String keyType = request.keyMediaType();
    long[] size = {0};
    cursor.begin(request);
    for (int i = 0; i < request.count && size[0] <= LOOP_SIZE_MAX; i++) {
      cursor.next(key);
      BinaryKey stored = keys.key(key, cache, keyType);
      Found found =
          cache.engine.tryPeek(
              stored, stored.hash(), cache.view, entry -> size[0] += entry.value().length());
      if (found == Found.WOULD_WAIT) {
        return true;
      }
    }
    return size[0] > LOOP_SIZE_MAX;
  }

  /** Reads many entries. Missing entries are left out, and each key occurs once. */
  void getAll(CacheHandle cache, ByteBudget.Share answers) {
    String keyType = request.keyMediaType();
    DistinctKeys distinct = request.count > 1 ? new DistinctKeys(request.in) : null;
    Bulk<BinaryKey, Bytes> bulk = cache.engine.bulk();
    try (EntryList entries = new EntryList(request, cache, allocator, answers)) {
      cursor.begin(request);
      for (int i = 0; i < request.count; i++) {
        cursor.next(key);
        BinaryKey stored = keys.key(key, cache, keyType);
        if (distinct == null || distinct.add(key, stored.hash())) {
          add(entries, stored, cache, bulk);
        }
      }
      bulk.await();
      reply.begin(request, cache);
      WireWriter.vInt(reply.body(), entries.count());
      reply.endWith(entries.take());
    }
  }

  private void addLater(EntryList entries, BinaryKey stored, Bulk<BinaryKey, Bytes> bulk) {
    Request.Range asked = new Request.Range();
    asked.set(key.index, key.length);
    bulk.read(
        stored,
        stored.hash(),
        entry -> {
          entries.counted();
          entries.key(asked);
          entries.value(entry.value());
        });
  }

  /** Adds an entry if it exists: at once, or with the others that have to wait. */
  private void add(
      EntryList entries, BinaryKey stored, CacheHandle cache, Bulk<BinaryKey, Bytes> bulk) {
    int size = entries.size();
    Found found =
        cache.engine.tryRead(
            stored,
            stored.hash(),
            cache.view,
            entry -> {
              entries.truncate(size);
              entries.key(key);
              entries.value(entry.value());
            });
    if (found == Found.LIVE) {
      entries.counted();
      return;
    }
    entries.truncate(size); // what was read at first turned out not to hold
    if (found == Found.WOULD_WAIT) {
      if (!mayBlock) {
        throw WouldWaitException.instance();
      }
      addLater(entries, BinaryKey.of(stored.toByteArray()), bulk);
    }
  }

  /** Executes bulkGet, up to a number of entries, and bulkGetKeys. */
  void bulkGet(CacheHandle cache, ByteBudget.Share answers) {
    boolean keysOnly = request.operation == Opcodes.BULK_GET_KEYS;
    int max = keysOnly || request.number == 0 ? Integer.MAX_VALUE : request.number;
    CacheEngine<BinaryKey, Bytes> engine = cache.engine;
    EntryView<BinaryKey, Bytes> view = cache.view;
    try (EntryList entries = new EntryList(request, cache, allocator, answers)) {
      BitSet all = new BitSet();
      all.set(0, engine.segmentCount());
      try (EntryWalk<BinaryKey, Bytes> walk = engine.walk(all, !keysOnly)) {
        while (entries.count() < max && walk.next(view)) {
          entries.counted();
          entries.u8(1);
          entries.key(view.key());
          if (!keysOnly) {
            entries.value(view.value());
          }
        }
      }
      entries.u8(0);
      reply.begin(request, cache);
      reply.endWith(entries.take());
    }
  }
}
