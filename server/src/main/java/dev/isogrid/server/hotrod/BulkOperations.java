package dev.isogrid.server.hotrod;

import dev.isogrid.engine.Bulk;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.Opcodes;
import io.netty.buffer.ByteBufAllocator;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The operations on many keys at once. Not thread-safe. */
final class BulkOperations {
  private final Request request;
  private final Reply reply;
  private final KeyScratch keys;
  private final ValueWrite writes;
  private final ByteBufAllocator allocator;
  private final FieldCursor cursor = new FieldCursor();
  private final Request.Range key = new Request.Range();
  private final Request.Range value = new Request.Range();

  BulkOperations(
      Request request,
      Reply reply,
      KeyScratch keys,
      ValueWrite writes,
      ByteBufAllocator allocator) {
    this.request = request;
    this.reply = reply;
    this.keys = keys;
    this.writes = writes;
    this.allocator = allocator;
  }

  /** Stores many entries. */
  void putAll(CacheHandle cache) {
    String keyType = request.keyMediaType();
    String valueType = request.valueMediaType();
    if (cache.keys.toStored(keyType) != null || cache.values.toStored(valueType) != null) {
      checkConversions(cache, keyType, valueType);
    }
    Bulk<BinaryKey, Bytes> bulk = cache.engine.bulk();
    cursor.begin(request);
    for (int i = 0; i < request.count; i++) {
      cursor.next(key);
      cursor.next(value);
      BinaryKey stored = keys.key(key, cache, keyType);
      bulk.write(stored, stored.hash(), writes.put(value, cache, valueType));
    }
    bulk.await();
    reply.begin(request, cache);
    reply.end();
  }

  /** Converts everything once, so that nothing is stored if something can't be converted. */
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

  /** Whether reading the request's keys may have to wait for other nodes. */
  boolean mayWaitForKeys(CacheHandle cache) {
    String keyType = request.keyMediaType();
    cursor.begin(request);
    for (int i = 0; i < request.count; i++) {
      cursor.next(key);
      if (cache.engine.mayWait(keys.key(key, cache, keyType).hash(), true)) {
        return true;
      }
    }
    return false;
  }

  /** Reads many entries; those that don't exist are left out, and each key comes once. */
  void getAll(CacheHandle cache) {
    String keyType = request.keyMediaType();
    DistinctKeys distinct = request.count > 1 ? new DistinctKeys(request.in) : null;
    Bulk<BinaryKey, Bytes> bulk = cache.engine.bulk();
    try (EntryList entries = new EntryList(request, cache, allocator)) {
      cursor.begin(request);
      for (int i = 0; i < request.count; i++) {
        cursor.next(key);
        BinaryKey stored = keys.key(key, cache, keyType);
        if (distinct == null || distinct.add(key, stored.hash())) {
          if (cache.engine.mayWait(stored.hash(), true)) {
            addLater(entries, BinaryKey.of(stored.toByteArray()), bulk);
          } else {
            addIfPresent(entries, stored, cache);
          }
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

  private void addIfPresent(EntryList entries, BinaryKey stored, CacheHandle cache) {
    int size = entries.size();
    boolean found =
        cache.engine.read(
            stored,
            stored.hash(),
            cache.view,
            entry -> {
              entries.truncate(size);
              entries.key(key);
              entries.value(entry.value());
            });
    if (found) {
      entries.counted();
    } else {
      entries.truncate(size); // what was read at first turned out not to hold
    }
  }

  /** bulkGet, up to a number of entries, and bulkGetKeys. */
  void bulkGet(CacheHandle cache) {
    boolean keysOnly = request.operation == Opcodes.BULK_GET_KEYS;
    int max = keysOnly || request.number == 0 ? Integer.MAX_VALUE : request.number;
    CacheEngine<BinaryKey, Bytes> engine = cache.engine;
    EntryView<BinaryKey, Bytes> view = cache.view;
    try (EntryList entries = new EntryList(request, cache, allocator)) {
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
