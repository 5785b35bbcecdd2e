package dev.isogrid.server.rest;

import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.OffHeapUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.node.Node;

/** Describes the memory of a cache or a node in JSON; all numbers are bytes unless named else. */
final class MemoryReport {
  private MemoryReport() {}

  /** The memory of a cache: the sum, and that of each segment. */
  static Json cache(CacheEngine<?, ?> engine) {
    MemoryUse[] segments = new MemoryUse[engine.segmentCount()];
    MemoryUse sum = MemoryUse.NONE;
    for (int i = 0; i < segments.length; i++) {
      segments[i] = engine.memoryUse(i);
      sum = sum.plus(segments[i]);
    }
    Json json = new Json().beginObject();
    json.name("storage").value(engine.config().storage().name());
    json.name("entries").value(engine.approximateSize());
    addUse(json, sum);
    json.name("segments").beginArray();
    for (int i = 0; i < segments.length; i++) {
      addUse(json.beginObject().name("segment").value(i), segments[i]);
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
    json.endObject();
    json.name("off_heap").beginObject();
    json.name("max_bytes").value(offHeap.maxBytes());
    json.name("reserved_bytes").value(offHeap.reservedBytes());
    json.name("allocated_bytes").value(offHeap.allocatedBytes());
    return json.endObject().endObject();
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
