package dev.isogrid.server.hotrod;

import dev.isogrid.api.CacheStats;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirements;
import dev.isogrid.server.task.TaskCall;
import dev.isogrid.server.task.TaskValues;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.wire.SessionExtension;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.TimesExtension;
import dev.isogrid.wire.Versions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The operations on whole caches and on the server. Not thread-safe. */
final class ServerOperations {
  /** The most parameters; the server's own tasks have four. */
  private static final int TASK_PARAMETERS_MAX = 100;

  private final ServerContext context;
  private final Request request;
  private final Reply reply;
  private final TaskRunner tasks;

  ServerOperations(ServerContext context, Request request, Reply reply) {
    this.context = context;
    this.request = request;
    this.reply = reply;
    this.tasks = new TaskRunner(context);
  }

  /**
   * Replies with the media types of the cache, the newest version of the protocol and the
   * operations.
   *
   * @param cache null if the request names none and there is no default one
   * @param hasSessions whether the client may have a session on request
   */
  void ping(@Nullable CacheHandle cache, boolean hasSessions) {
    reply.begin(request, cache);
    ByteBuf out = reply.body();
    if (request.version >= Versions.V29) {
      WireWriter.mediaType(out, cache == null ? null : cache.keyType);
      WireWriter.mediaType(out, cache == null ? null : cache.valueType);
    }
    if (request.version >= Versions.V30) {
      out.writeByte(Versions.NEWEST);
      int[] operations = RequestLayout.supportedOperations();
      boolean isOurs = (request.flags & SessionExtension.PING_FLAG) != 0;
      boolean announces = isOurs && hasSessions;
      WireWriter.vInt(out, operations.length + (announces ? 1 : 0) + (isOurs ? 1 : 0));
      for (int operation : operations) {
        out.writeShort(operation);
      }
      if (announces) {
        out.writeShort(SessionExtension.ANNOUNCEMENT);
      }
      if (isOurs) {
        out.writeShort(TimesExtension.ANNOUNCEMENT);
      }
    }
    reply.end();
  }

  /** Lists the mechanisms for a login of the caller; none if no login is needed. */
  void mechanisms(Caller caller) {
    List<String> mechanisms = caller.mechanisms();
    reply.begin(request, null);
    WireWriter.vInt(reply.body(), mechanisms.size());
    mechanisms.forEach(mechanism -> WireWriter.string(reply.body(), mechanism));
    reply.end();
  }

  /** Executes a step of a login. May block. */
  void authenticate(Caller caller) {
    String mechanism = request.textAt(request.text);
    if (caller.isUnrestricted()) {
      reply.error(
          request.messageId,
          Statuses.SERVER_ERROR,
          "authentication is switched off: mechanism=%s; connect without it".formatted(mechanism));
      reply.end();
      return;
    }
    byte[] response = new byte[request.value.length];
    request.in.getBytes(request.value.index, response);
    Caller.SaslReply answer = caller.step(mechanism, response);
    reply.begin(request, null);
    reply.body().writeByte(answer.isComplete() ? 1 : 0);
    reply.bytes(Bytes.of(answer.bytes()));
    reply.end();
  }

  /** Counts the live entries. May block. */
  void size(CacheHandle cache) {
    long size = cache.engine.size();
    reply.begin(request, cache);
    WireWriter.vLong(reply.body(), size);
    reply.end();
  }

  /** Removes all entries. May block. */
  void clear(CacheHandle cache) {
    cache.engine.clear(request.isSilent());
    reply.begin(request, cache);
    reply.end();
  }

  /** Replies with statistics by name. May block. */
  void stats(CacheHandle cache) {
    Map<String, Long> stats = stats(cache.engine, request.version >= Versions.V24);
    reply.begin(request, cache);
    WireWriter.vInt(reply.body(), stats.size());
    stats.forEach((name, number) -> {
      WireWriter.string(reply.body(), name);
      WireWriter.string(reply.body(), number.toString());
    });
    reply.end();
  }

  private Map<String, Long> stats(CacheEngine<BinaryKey, Bytes> engine, boolean ofCluster) {
    Map<String, Long> counted = counted(engine);
    Map<String, Long> stats = new LinkedHashMap<>();
    long sinceStart = Math.max(0, engine.nowMillis() - engine.startedMillis());
    stats.put("timeSinceStart", TimeUnit.MILLISECONDS.toSeconds(sinceStart));
    stats.putAll(counted);
    stats.put("totalBytesRead", context.traffic().bytesRead());
    stats.put("totalBytesWritten", context.traffic().bytesWritten());
    if (ofCluster) {
      counted.forEach((name, number) ->
          stats.put("global" + Character.toUpperCase(name.charAt(0)) + name.substring(1), number));
    }
    return stats;
  }

  /** The counts of a cache; -1 if counting is switched off. */
  private static Map<String, Long> counted(CacheEngine<BinaryKey, Bytes> engine) {
    CacheStats stats = engine.stats();
    Map<String, Long> counted = new LinkedHashMap<>();
    counted.put("currentNumberOfEntries", engine.size());
    counted.put("stores", stats == null ? -1 : stats.stores());
    counted.put("retrievals", stats == null ? -1 : stats.retrievals());
    counted.put("hits", stats == null ? -1 : stats.hits());
    counted.put("misses", stats == null ? -1 : stats.misses());
    counted.put("removeHits", stats == null ? -1 : stats.removeHits());
    counted.put("removeMisses", stats == null ? -1 : stats.removeMisses());
    counted.put("evictions", stats == null ? -1 : stats.evictions());
    long allocated = stats == null ? -1 : engine.memoryUse().allocatedBytes();
    boolean offHeap = engine.config().storage() == StorageType.OFF_HEAP;
    counted.put("dataMemoryUsed", allocated);
    counted.put("offHeapMemoryUsed", stats == null || offHeap ? allocated : 0);
    counted.put("approximateEntries", engine.approximateSize());
    counted.put("approximateEntriesUnique", engine.approximateSize());
    return counted;
  }

  /**
   * Runs a task of the server. May block.
   *
   * @param cache of the request, or the default one without a name; null if there is none
   */
  void execute(Caller caller, @Nullable CacheHandle cache) {
    String task = request.textAt(request.text);
    int needed = Requirements.task(task);
    if (!caller.server().allows(needed)) {
      throw caller.refusal(needed, "task " + task);
    }
    byte[] result =
        task.startsWith(TaskRunner.PREFIX)
            ? run(task, parameters(), caller)
            : runDeployed(task, caller, cache);
    reply.begin(request, null);
    reply.bytes(Bytes.of(result));
    reply.end();
  }

  private byte[] runDeployed(String task, Caller caller, @Nullable CacheHandle cache) {
    String cacheName = null;
    if (request.cacheName.length > 0) {
      int needed = Requirements.task(task);
      if (cache == null) {
        int shown = Math.min(request.cacheName.length, CacheHandles.NAME_LENGTH_MAX);
        throw new InvalidRequestException(
            "no such cache: cache="
                + request.in.toString(request.cacheName.index, shown, StandardCharsets.UTF_8));
      }
      cacheName = cache.engine.name();
      if (!cache.access.allows(needed)) {
        throw caller.refusal(Requirements.needed(cacheName, needed), "task " + task);
      }
    }
    String role = context.tasks().allowedRole(task);
    if (role != null && !caller.hasRole(role)) {
      throw caller.refusalWithoutRole(role, "task " + task);
    }
    String parameterType = request.keyMediaType();
    Map<String, Object> parameters = HashMap.newHashMap(request.count);
    forEachParameter((name, field) -> {
      byte[] bytes = ByteBufUtil.getBytes(request.in, field.index, field.length);
      parameters.put(name, TaskValues.parameter(bytes, parameterType));
    });
    Object result =
        context.tasks().run(new TaskCall(task, cacheName, parameters, caller.vouched()));
    byte[] bytes = TaskValues.result(result, request.valueMediaType());
    if (bytes.length > context.contentLengthMax()) {
      throw new InvalidRequestException(
          "result of a task is too large: task=%s, bytes=%d, max=%d; put it into a cache"
              .formatted(task, bytes.length, context.contentLengthMax()));
    }
    return bytes;
  }

  private byte[] run(String task, Map<String, String> parameters, Caller caller) {
    boolean isNoted = Requirements.task(task) != Permission.LOGGED_IN;
    String noted = isNoted ? task + " name=" + parameters.get("name") : "";
    try {
      byte[] result = tasks.run(task, parameters, caller);
      if (isNoted) {
        caller.administered(noted, "ok");
      }
      return result;
    } catch (RuntimeException failure) {
      if (isNoted) {
        caller.administered(noted, "failed: " + failure.getMessage());
      }
      throw failure;
    }
  }

  private Map<String, String> parameters() {
    Map<String, String> parameters = HashMap.newHashMap(request.count);
    forEachParameter((name, field) -> parameters.put(name, request.textAt(field)));
    return parameters;
  }

  private void forEachParameter(BiConsumer<String, Request.Range> action) {
    if (request.count > TASK_PARAMETERS_MAX) {
      throw new InvalidRequestException(
          "too many parameters of a task: count=%d, limit=%d"
              .formatted(request.count, TASK_PARAMETERS_MAX));
    }
    FieldCursor cursor = new FieldCursor();
    cursor.begin(request);
    Request.Range field = new Request.Range();
    for (int i = 0; i < request.count; i++) {
      cursor.next(field);
      String name = request.in.toString(field.index, field.length, StandardCharsets.UTF_8);
      cursor.next(field);
      action.accept(name, field);
    }
  }
}
