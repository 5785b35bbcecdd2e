package dev.isogrid.server.memcached;

import dev.isogrid.api.CacheStats;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Traffic;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.MultithreadEventExecutorGroup;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * What {@code stats} shows, in memcached's order. Keys whose value is not known here, such as those
 * of memcached's own memory, are left out. For the connection's event loop only.
 */
final class StatsReport {
  private static final int POINTER_BITS = 64;

  private final Conversation conversation;
  private final Channel channel;

  StatsReport(Conversation conversation, Channel channel) {
    this.conversation = conversation;
    this.channel = channel;
  }

  /** The general statistics, without the line that ends them. */
  void general() {
    CacheEngine<BinaryKey, Bytes> engine = conversation.engine();
    MemcachedEndpoint endpoint = conversation.endpoint;
    ServerContext context = endpoint.context();
    long nowMillis = endpoint.nowMillis();
    stat("pid", ProcessHandle.current().pid());
    stat("uptime", TimeUnit.MILLISECONDS.toSeconds(nowMillis - context.startedMillis()));
    stat("time", TimeUnit.MILLISECONDS.toSeconds(nowMillis));
    stat("version", context.version());
    stat("pointer_size", POINTER_BITS);
    Traffic traffic = context.traffic();
    stat("curr_connections", traffic.connectionsOpen());
    stat("total_connections", traffic.connectionsTotal());
    commands(endpoint.counters());
    stat("auth_cmds", endpoint.counters().authCommands);
    stat("auth_errors", endpoint.counters().authErrors);
    stat("bytes_read", traffic.bytesRead());
    stat("bytes_written", traffic.bytesWritten());
    stat("limit_maxbytes", endpoint.memoryLimitBytes());
    stat("accepting_conns", 1);
    threads("threads");
    stat("bytes", engine.memoryUse().liveBytes());
    stat("curr_items", engine.approximateSize());
    stat("total_items", endpoint.counters().totalItems);
    CacheStats stats = engine.stats();
    if (stats != null) {
      stat("evictions", stats.evictions());
    }
  }

  private void commands(Counters counters) {
    stat("cmd_get", counters.getHits.sum() + counters.getMisses.sum());
    stat("cmd_set", counters.cmdSet);
    stat("cmd_flush", counters.cmdFlush);
    stat("cmd_touch", counters.touchHits.sum() + counters.touchMisses.sum());
    stat("cmd_meta", counters.cmdMeta);
    stat("get_hits", counters.getHits);
    stat("get_misses", counters.getMisses);
    stat("delete_misses", counters.deleteMisses);
    stat("delete_hits", counters.deleteHits);
    stat("incr_misses", counters.incrMisses);
    stat("incr_hits", counters.incrHits);
    stat("decr_misses", counters.decrMisses);
    stat("decr_hits", counters.decrHits);
    stat("cas_misses", counters.casMisses);
    stat("cas_hits", counters.casHits);
    stat("cas_badval", counters.casBadval);
    stat("touch_hits", counters.touchHits);
    stat("touch_misses", counters.touchMisses);
    stat("store_too_large", counters.storeTooLarge);
    stat("store_no_memory", counters.storeNoMemory);
  }

  private void threads(String name) {
    EventExecutorGroup group = channel.eventLoop().parent();
    if (group instanceof MultithreadEventExecutorGroup threads) {
      stat(name, threads.executorCount());
    }
  }

  /** What is settled for all connections, without the line that ends it. */
  void settings() {
    threads("num_threads");
    stat("cas_enabled", "yes");
    stat("auth_enabled_sasl", "no");
    stat("auth_enabled_ascii", conversation.caller.isUnrestricted() ? "no" : "yes");
    stat("item_size_max", conversation.endpoint.context().contentLengthMax());
    stat("flush_enabled", "yes");
    stat("dump_enabled", "no");
  }

  private void stat(String name, LongAdder counter) {
    stat(name, counter.sum());
  }

  private void stat(String name, long value) {
    stat(name, Long.toString(value));
  }

  private void stat(String name, String value) {
    conversation.reply(Reply.line("STAT " + name + " " + value));
  }
}
