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
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The output of {@code stats}: the keys of memcached 1.6.18 in its order, since tools expect them
 * all. Figures that only memcached has are 0. For the connection's event loop only.
 */
final class StatsReport {
  private static final int POINTER_BITS = 64;
  private static final int NANOS_PER_MICRO = 1000;
  private static final String NO_SECONDS = "0.000000";

  private final Conversation conversation;
  private final Channel channel;
  private final StatsSink sink;

  StatsReport(Conversation conversation, Channel channel, StatsSink sink) {
    this.conversation = conversation;
    this.channel = channel;
    this.sink = sink;
  }

  /** The general statistics. */
  void general() {
    CacheEngine<BinaryKey, Bytes> engine = conversation.engine(); // before any line is written
    MemcachedEndpoint endpoint = conversation.endpoint;
    ServerContext context = endpoint.context();
    long nowMillis = endpoint.nowMillis();
    stat("pid", ProcessHandle.current().pid());
    stat("uptime", TimeUnit.MILLISECONDS.toSeconds(nowMillis - context.startedMillis()));
    stat("time", TimeUnit.MILLISECONDS.toSeconds(nowMillis));
    stat("version", MemcachedEndpoint.VERSION);
    stat("isogrid_version", context.version());
    stat("pointer_size", POINTER_BITS);
    stat("rusage_user", processorSeconds());
    stat("rusage_system", NO_SECONDS);
    connections(context.traffic());
    commands(endpoint.counters());
    stat("bytes_read", context.traffic().bytesRead());
    stat("bytes_written", context.traffic().bytesWritten());
    stat("limit_maxbytes", endpoint.memoryLimitBytes());
    stat("accepting_conns", 1);
    stat("listen_disabled_num", context.traffic().connectionsRefused());
    zeros("time_in_listen_disabled_us");
    threads("threads");
    zeros("conn_yields", "hash_power_level", "hash_bytes", "hash_is_expanding");
    zeros("slab_reassign_rescues", "slab_reassign_chunk_rescues");
    zeros("slab_reassign_evictions_nomem", "slab_reassign_inline_reclaim");
    zeros("slab_reassign_busy_items", "slab_reassign_busy_deletes", "slab_reassign_running");
    zeros("slabs_moved", "lru_crawler_running", "lru_crawler_starts");
    zeros("lru_maintainer_juggles", "malloc_fails");
    endpoint.watchers().report(sink);
    zeros("unexpected_napi_ids", "round_robin_fallback");
    items(engine);
  }

  private void connections(Traffic traffic) {
    stat("max_connections", Traffic.CONNECTIONS_MAX);
    stat("curr_connections", traffic.connectionsOpen());
    stat("total_connections", traffic.connectionsTotal());
    stat("rejected_connections", traffic.connectionsRefused());
    stat("connection_structures", traffic.connectionsOpen());
    zeros("response_obj_oom", "response_obj_count", "response_obj_bytes", "read_buf_count");
    zeros("read_buf_bytes", "read_buf_bytes_free", "read_buf_oom", "reserved_fds");
  }

  private void commands(Counters counters) {
    stat("cmd_get", counters.getHits.sum() + counters.getMisses.sum());
    stat("cmd_set", counters.cmdSet);
    stat("cmd_flush", counters.cmdFlush);
    stat("cmd_touch", counters.touchHits.sum() + counters.touchMisses.sum());
    stat("cmd_meta", counters.cmdMeta);
    stat("get_hits", counters.getHits);
    stat("get_misses", counters.getMisses);
    zeros("get_expired", "get_flushed");
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
    stat("auth_cmds", counters.authCommands);
    stat("auth_errors", counters.authErrors);
  }

  private void items(CacheEngine<BinaryKey, Bytes> engine) {
    CacheStats stats = engine.stats();
    stat("bytes", engine.memoryUse().liveBytes());
    stat("curr_items", engine.approximateSize());
    stat("total_items", conversation.counters.totalItems);
    zeros("slab_global_page_pool", "expired_unfetched", "evicted_unfetched", "evicted_active");
    stat("evictions", stats == null ? 0 : stats.evictions());
    stat("reclaimed", stats == null ? 0 : stats.expirations());
    zeros("crawler_reclaimed", "crawler_items_checked", "lrutail_reflocked", "moves_to_cold");
    zeros("moves_to_warm", "moves_within_lru", "direct_reclaims", "lru_bumps_dropped");
  }

  private void zeros(String... names) {
    for (String name : names) {
      stat(name, 0);
    }
  }

  /** The processor time of all threads, including system time: the JVM does not separate them. */
  private static String processorSeconds() {
    Duration taken = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    return "%d.%06d".formatted(taken.toSeconds(), taken.toNanosPart() / NANOS_PER_MICRO);
  }

  private void threads(String name) {
    EventExecutorGroup group = channel.eventLoop().parent();
    if (group instanceof MultithreadEventExecutorGroup threads) {
      stat(name, threads.executorCount());
    }
  }

  /** The settings of all connections. */
  void settings() {
    MemcachedEndpoint endpoint = conversation.endpoint;
    ItemSize itemSize = endpoint.itemSize();
    stat("maxbytes", endpoint.memoryLimitBytes());
    stat("maxconns", Traffic.CONNECTIONS_MAX);
    address();
    stat("verbosity", 0);
    stat("evictions", endpoint.evicts() ? "on" : "off");
    stat("domain_socket", "NULL");
    stat("shutdown_command", "no");
    threads("num_threads");
    stat("detail_enabled", conversation.prefixes.isOn() ? "yes" : "no");
    stat("cas_enabled", "yes");
    String isSecured = conversation.caller.isUnrestricted() ? "no" : "yes";
    stat("auth_enabled_sasl", isSecured);
    stat("auth_enabled_ascii", isSecured);
    stat("item_size_max", Math.min(itemSize.lengthMax(), itemSize.sizeMax()));
    stat("maxconns_fast", "yes");
    stat("flush_enabled", "yes");
    stat("dump_enabled", "yes");
  }

  private void address() {
    if (channel.localAddress() instanceof InetSocketAddress local) {
      stat("tcpport", local.getPort());
      stat("udpport", 0);
      stat("inter", local.getAddress().getHostAddress());
    }
  }

  /** The requesting connection: the server keeps no list of all others here. */
  void connection() {
    connection("addr", channel.remoteAddress());
    connection("listen_addr", channel.localAddress());
    stat("1:state", "conn_parse_cmd");
    stat("1:secs_since_last_cmd", 0);
  }

  private void connection(String name, @Nullable SocketAddress address) {
    if (address instanceof InetSocketAddress inet) {
      stat("1:" + name, "tcp:%s:%d".formatted(inet.getAddress().getHostAddress(), inet.getPort()));
    }
  }

  private void stat(String name, LongAdder counter) {
    stat(name, counter.sum());
  }

  private void stat(String name, long value) {
    sink.add(name, value);
  }

  private void stat(String name, String value) {
    sink.add(name, value);
  }
}
