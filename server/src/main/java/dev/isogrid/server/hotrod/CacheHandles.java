package dev.isogrid.server.hotrod;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Access;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.Permission;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.structure.CounterTable;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds caches by the names in requests. Remembers the caches last used, so that a request costs
 * the comparison of a name. For one connection.
 */
final class CacheHandles {
  /** A connection seldom uses more caches in turns. */
  private static final int REMEMBERED = 8;

  private static final long OWN_NAME = -1;

  /** No cache has a longer name. */
  static final int NAME_LENGTH_MAX = 255;

  private final ServerContext context;
  private final TopologySections sections;
  private final Channel channel;
  private final Caller caller;
  private final byte[][] names = new byte[REMEMBERED][];
  private final @Nullable CacheHandle[] handles = new CacheHandle[REMEMBERED];

  /** For a handle by an alias, the version of the aliases; {@link #OWN_NAME} for all others. */
  private final long[] aliasVersions = new long[REMEMBERED];

  /** The version of the ignored caches when handles were found. */
  private long ignoredVersion;

  private int next;
  private @Nullable CacheHandle counters;

  CacheHandles(ServerContext context, TopologySections sections, Channel channel, Caller caller) {
    this.context = context;
    this.sections = sections;
    this.channel = channel;
    this.caller = caller;
  }

  /**
   * The cache that a request names; the default cache if the name is empty. For a caller without a
   * login no cache exists, so that no answer depends on it.
   *
   * @return null if there is no such cache
   * @throws dev.isogrid.api.InvalidRequestException if the cache does not keep bytes, or operators
   *     let servers ignore it
   */
  @Nullable CacheHandle find(Request request) {
    long version = context.catalog().ignored().version();
    if (version != ignoredVersion) {
      ignoredVersion = version;
      Arrays.fill(handles, null);
    }
    for (int i = 0; i < REMEMBERED; i++) {
      CacheHandle handle = handles[i];
      if (handle != null && isName(names[i], request)) {
        boolean isStale =
            aliasVersions[i] != OWN_NAME && aliasVersions[i] != context.catalog().aliasVersion();
        if (!handle.engine.isClosed() && !isStale) {
          return handle;
        }
        handles[i] = null;
      }
    }
    return lookUp(request);
  }

  /** The cache that a request names, if it was used before; null if it was not. */
  @Nullable CacheHandle known(Request request) {
    for (int i = 0; i < REMEMBERED; i++) {
      CacheHandle handle = handles[i];
      if (handle != null && isName(names[i], request)) {
        return handle.engine.isClosed() ? null : handle;
      }
    }
    return null;
  }

  /**
   * The cache of the counters, with the caller's permissions on counters, which apply to the whole
   * server; null before the first request on counters.
   */
  @Nullable CacheHandle counters() {
    CacheHandle known = counters;
    if (known == null) {
      CounterTable table = context.node().counterTableIfMade();
      known = table == null ? null : newHandle(table.engine(), caller.server());
      counters = known;
    }
    return known;
  }

  private CacheHandle newHandle(CacheEngine<BinaryKey, Bytes> engine, Access access) {
    return new CacheHandle(
        engine,
        context.traffic().latencies().of(engine),
        context.transcoder(),
        sections,
        channel.localAddress(),
        access);
  }

  private static boolean isName(byte[] name, Request request) {
    if (name.length != request.cacheName.length) {
      return false;
    }
    ByteBuf in = request.in;
    int index = request.cacheName.index;
    for (int i = 0; i < name.length; i++) {
      if (in.getByte(index + i) != name[i]) {
        return false;
      }
    }
    return true;
  }

  private @Nullable CacheHandle lookUp(Request request) {
    boolean isStranger = !caller.server().allows(Permission.LOGGED_IN);
    if (isStranger || request.cacheName.length > NAME_LENGTH_MAX) {
      return null;
    }
    String name = request.textAt(request.cacheName);
    String found = name.isEmpty() ? context.defaultCache() : name;
    long aliasVersion = context.catalog().aliasVersion();
    CacheEngine<BinaryKey, Bytes> engine = found.isEmpty() ? null : context.engine(found);
    if (engine == null) {
      return null;
    }
    context.catalog().ignored().check(engine.name());
    CacheHandle handle = newHandle(engine, caller.cache(engine.name(), engine.config()));
    names[next] = name.getBytes(StandardCharsets.UTF_8);
    handles[next] = handle;
    aliasVersions[next] = engine.name().equals(found) ? OWN_NAME : aliasVersion;
    next = (next + 1) % REMEMBERED;
    return handle;
  }
}
