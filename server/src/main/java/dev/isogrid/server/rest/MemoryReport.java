package dev.isogrid.server.rest;

import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.OffHeapUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.node.Node;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * Describes the memory of a cache or a node in JSON; all numbers are bytes unless their names
 * differ.
 */
final class MemoryReport {
  private MemoryReport() {}

  /** The memory of a cache, and that of each segment. */
  static Json cache(CacheEngine<?, ?> engine) {
    MemoryUse whole = engine.memoryUse();
    Json json = new Json().beginObject();
    json.name("storage").value(engine.config().storage().name());
    json.name("entries").value(engine.approximateSize());
    addUse(json, whole);
    json.name("dictionary_bytes").value(whole.dictionaryBytes());
    json.name("segments").beginArray();
    for (int i = 0; i < engine.segmentCount(); i++) {
      addUse(json.beginObject().name("segment").value(i), engine.memoryUse(i));
      json.endObject();
    }
    return json.endArray().endObject();
  }

  /** The memory of a segment, and that of each of its pages. */
  static Json segment(CacheEngine<?, ?> engine, int segment) {
    Json json = new Json().beginObject().name("segment").value(segment);
    addUse(json, engine.memoryUse(segment));
    json.name("page_list").beginArray();
    for (PageUse page : engine.pages(segment)) {
      json.beginObject();
      json.name("allocated_bytes").value(page.allocatedBytes());
      json.name("used_bytes").value(page.usedBytes());
      json.name("live_bytes").value(page.liveBytes());
      json.endObject();
    }
    return json.endArray().endObject();
  }

  private static void addUse(Json json, MemoryUse use) {
    json.name("allocated_bytes").value(use.allocatedBytes());
    json.name("live_bytes").value(use.liveBytes());
    json.name("dead_bytes").value(use.deadBytes());
    json.name("index_bytes").value(use.indexBytes());
    json.name("pages").value(use.pages());
  }

  /** The memory of a node. */
  static Json node(Node node) {
    Runtime runtime = Runtime.getRuntime();
    OffHeapUse offHeap = node.offHeapUse();
    Json json = new Json().beginObject();
    json.name("heap").beginObject();
    json.name("max_bytes").value(runtime.maxMemory());
    json.name("reserved_bytes").value(runtime.totalMemory());
    json.name("allocated_bytes").value(runtime.totalMemory() - runtime.freeMemory());
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    addUsage(json, memory.getHeapMemoryUsage()).endObject();
    addUsage(json.name("non_heap").beginObject(), memory.getNonHeapMemoryUsage()).endObject();
    addPools(json);
    ProcessMemory.read().addTo(json);
    json.name("off_heap").beginObject();
    json.name("max_bytes").value(offHeap.maxBytes());
    json.name("reserved_bytes").value(offHeap.reservedBytes());
    json.name("allocated_bytes").value(offHeap.allocatedBytes());
    return json.endObject().endObject();
  }

  /** The JVM's own figures, under the names of Infinispan. */
  private static void addPools(Json json) {
    json.name("memory_pools").beginArray();
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      json.beginObject().name("name").value(pool.getName());
      json.name("type").value(pool.getType().toString());
      addUsage(json.name("usage").beginObject(), pool.getUsage()).endObject();
      addUsage(json.name("peak_usage").beginObject(), pool.getPeakUsage()).endObject();
      json.endObject();
    }
    json.endArray().name("gc").beginArray();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      json.beginObject().name("name").value(collector.getName());
      json.name("valid").value(collector.isValid());
      json.name("collection_count").value(collector.getCollectionCount());
      json.name("collection_time").value(collector.getCollectionTime());
      json.name("memory_pool_names").values(List.of(collector.getMemoryPoolNames())).endObject();
    }
    json.endArray().name("buffer_pools").beginArray();
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      json.beginObject().name("name").value(pool.getName());
      json.name("memory_used").value(pool.getMemoryUsed());
      json.name("total_capacity").value(pool.getTotalCapacity());
      json.name("count").value(pool.getCount()).endObject();
    }
    json.endArray();
  }

  private static Json addUsage(Json json, MemoryUsage usage) {
    json.name("init").value(usage.getInit());
    json.name("used").value(usage.getUsed());
    json.name("committed").value(usage.getCommitted());
    return json.name("max").value(usage.getMax());
  }

  /** The memory of a node, under the names of a container's statistics. */
  static Json container(Node node) {
    Json json = new Json().beginObject();
    json.name("statistics_enabled").value(true);
    json.name("off_heap_memory_used").value(node.offHeapUse().allocatedBytes());
    json.name("data_memory_used").value(dataBytes(node));
    json.name("required_minimum_number_of_nodes").value(1);
    return json.endObject();
  }

  private static long dataBytes(Node node) {
    long sum = 0;
    for (String name : node.cacheNames()) {
      MemoryUse use = node.memoryUseOf(name);
      sum += use == null ? 0 : use.allocatedBytes();
    }
    return sum;
  }
}
