package dev.isogrid.server.memcached;

import dev.isogrid.api.CacheStats;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.concurrent.atomic.LongAdder;

/**
 * The output of {@code stats items} and {@code stats slabs}, in memcached's order. All entries are
 * in one class of slabs; figures that only memcached has are 0. For the connection's event loop
 * only.
 */
final class SlabReport {
  private static final int PAGE_SIZE = 1 << 20;

  private final Conversation conversation;
  private final StatsSink sink;

  SlabReport(Conversation conversation, StatsSink sink) {
    this.conversation = conversation;
    this.sink = sink;
  }

  /** Shows items; nothing if there are none. */
  void items() {
    CacheEngine<BinaryKey, Bytes> engine = conversation.engine();
    long count = engine.approximateSize();
    if (count == 0) {
      return;
    }
    CacheStats stats = engine.stats();
    item("number", count);
    zeros("number_hot", "number_warm");
    item("number_cold", count);
    zeros("age_hot", "age_warm", "age");
    item("mem_requested", engine.memoryUse().liveBytes());
    item("evicted", stats == null ? 0 : stats.evictions());
    zeros("evicted_nonzero", "evicted_time");
    item("outofmemory", conversation.counters.storeNoMemory.sum());
    zeros("tailrepairs");
    item("reclaimed", stats == null ? 0 : stats.expirations());
    zeros("expired_unfetched", "evicted_unfetched", "evicted_active", "crawler_reclaimed");
    zeros("crawler_items_checked", "lrutail_reflocked", "moves_to_cold", "moves_to_warm");
    zeros("moves_within_lru", "direct_reclaims", "hits_to_hot", "hits_to_warm");
    item("hits_to_cold", conversation.counters.getHits.sum());
    zeros("hits_to_temp");
  }

  private void zeros(String... names) {
    for (String name : names) {
      item(name, 0);
    }
  }

  private void item(String name, long value) {
    sink.add("items:1:" + name, value);
  }

  /** Shows slabs. */
  void slabs() {
    CacheEngine<BinaryKey, Bytes> engine = conversation.engine();
    long count = engine.approximateSize();
    long bytes = engine.memoryUse().allocatedBytes();
    if (count > 0) {
      long pages = Math.max(1, (bytes + PAGE_SIZE - 1) / PAGE_SIZE);
      long chunkSize = Math.max(1, bytes / count);
      long free = Math.max(0, (conversation.endpoint.memoryLimitBytes() - bytes) / chunkSize);
      slab("chunk_size", chunkSize);
      slab("chunks_per_page", Math.max(1, count / pages));
      slab("total_pages", pages);
      slab("total_chunks", count + free);
      slab("used_chunks", count);
      slab("free_chunks", free); // tools call a class without any full
      slab("free_chunks_end", 0);
      Counters counters = conversation.counters;
      slab("get_hits", counters.getHits);
      slab("cmd_set", counters.cmdSet);
      slab("delete_hits", counters.deleteHits);
      slab("incr_hits", counters.incrHits);
      slab("decr_hits", counters.decrHits);
      slab("cas_hits", counters.casHits);
      slab("cas_badval", counters.casBadval);
      slab("touch_hits", counters.touchHits);
    }
    sink.add("active_slabs", count > 0 ? 1 : 0);
    sink.add("total_malloced", bytes);
  }

  private void slab(String name, LongAdder counter) {
    slab(name, counter.sum());
  }

  private void slab(String name, long value) {
    sink.add("1:" + name, value);
  }
}
