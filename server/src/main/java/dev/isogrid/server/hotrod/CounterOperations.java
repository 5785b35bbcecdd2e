package dev.isogrid.server.hotrod;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterConfig.Storage;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.ForeignConfiguration;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.structure.CounterState;
import dev.isogrid.structure.CounterTable;
import dev.isogrid.structure.CounterTable.Answer;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operations on counters. Not thread-safe.
 *
 * <pre>
 * status  add    get, set  get     is       create  reset, remove  add       remove
 *                or swap   config  defined                         listener  listener
 * 0x00    done   done      there   yes      done    done           first     last
 * 0x01                             no       exists                 further   not last
 * 0x02    none   none      none                     none           none      none
 * 0x04    bound  bound
 * </pre>
 */
final class CounterOperations {
  private final ServerContext context;
  private final Request request;
  private final Reply reply;
  private final Repetition repetition;
  private final boolean mayBlock;

  /** The connection of a listener that the last request began, if any. */
  private @Nullable CounterClient begun;

  CounterOperations(
      ServerContext context,
      Request request,
      Reply reply,
      Repetition repetition,
      boolean mayBlock) {
    this.context = context;
    this.request = request;
    this.reply = reply;
    this.repetition = repetition;
    this.mayBlock = mayBlock;
  }

  /**
   * Executes the request.
   *
   * @param cache the cache of the counters, or null if it is not known yet
   * @param client the connection for events
   * @return false if it may have to wait and this must not; then nothing was done
   */
  boolean execute(@Nullable CacheHandle cache, CounterClient client) {
    CounterTable known =
        mayBlock ? context.node().counterTable() : context.node().counterTableIfMade();
    if (known == null || (!mayBlock && mayWait(known))) {
      return false;
    }
    CounterTable table = mayBlock ? known : known.withoutWaiting();
    switch (request.operation) {
      case Opcodes.COUNTER_CREATE -> {
        boolean isNew = table.define(name(), requested());
        answer(cache, isNew ? Statuses.OK : Statuses.NOT_EXECUTED);
      }
      case Opcodes.COUNTER_GET_CONFIGURATION -> configuration(cache, table.find(name()));
      case Opcodes.COUNTER_IS_DEFINED -> {
        boolean isDefined = table.find(name()) != null;
        answer(cache, isDefined ? Statuses.OK : Statuses.NOT_EXECUTED);
      }
      case Opcodes.COUNTER_GET -> get(cache, table.find(name()));
      case Opcodes.COUNTER_GET_NAMES -> names(cache, table.names());
      case Opcodes.COUNTER_ADD_LISTENER, Opcodes.COUNTER_REMOVE_LISTENER ->
          listener(cache, table, client);
      default -> {
        return repetition.isWanted() ? changeOnce(cache, table) : change(cache, table.by(null));
      }
    }
    return true;
  }

  private boolean mayWait(CounterTable table) {
    return switch (request.operation) {
      case Opcodes.COUNTER_GET_NAMES -> true;
      case Opcodes.COUNTER_ADD_LISTENER -> table.engine().isClustered();
      case Opcodes.COUNTER_GET,
          Opcodes.COUNTER_GET_CONFIGURATION,
          Opcodes.COUNTER_IS_DEFINED,
          Opcodes.COUNTER_REMOVE_LISTENER ->
          table.mayWait(name(), true);
      default -> table.mayWait(name(), false);
    };
  }

  private String name() {
    return request.textAt(request.text);
  }

  // ---- definitions

  private CounterConfig requested() {
    Request.CounterFields sent = request.counter;
    boolean isWeak = (sent.flags & HotRod.COUNTER_WEAK) != 0;
    boolean isBounded = (sent.flags & HotRod.COUNTER_BOUNDED) != 0;
    if (isWeak && isBounded) {
      throw new InvalidRequestException(
          "invalid counter: name=%s, weak and bounded; choose one".formatted(name()));
    }
    CounterConfig config =
        ForeignConfiguration.of(() -> {
          if (isWeak) {
            return CounterConfig.weak(sent.initial).withConcurrency(sent.concurrency);
          }
          return isBounded
              ? CounterConfig.boundedStrong(sent.initial, sent.lower, sent.upper)
              : CounterConfig.strong(sent.initial);
        });
    return (sent.flags & HotRod.COUNTER_PERSISTENT) == 0
        ? config
        : config.withStorage(Storage.PERSISTENT);
  }

  private void configuration(@Nullable CacheHandle cache, @Nullable CounterState counter) {
    if (counter == null) {
      answer(cache, Statuses.NOT_FOUND);
      return;
    }
    CounterConfig config = counter.config();
    reply.begin(request, cache);
    ByteBuf out = reply.body();
    out.writeByte(
        (config.isWeak() ? HotRod.COUNTER_WEAK : 0)
            | (config.isBounded() ? HotRod.COUNTER_BOUNDED : 0)
            | (config.storage() == Storage.PERSISTENT ? HotRod.COUNTER_PERSISTENT : 0));
    if (config.isWeak()) {
      WireWriter.vInt(out, config.concurrency());
    }
    if (config.isBounded()) {
      out.writeLong(config.lower());
      out.writeLong(config.upper());
    }
    out.writeLong(config.initial());
    reply.end();
  }

  private void names(@Nullable CacheHandle cache, Set<String> names) {
    reply.begin(request, cache);
    WireWriter.vInt(reply.body(), names.size());
    names.forEach(name -> WireWriter.string(reply.body(), name));
    reply.end();
  }

  // ---- values

  private void get(@Nullable CacheHandle cache, @Nullable CounterState counter) {
    if (counter == null) {
      answer(cache, Statuses.NOT_FOUND);
    } else {
      answer(cache, counter.value());
    }
  }

  /** Executes a change that its client may repeat. */
  private boolean changeOnce(@Nullable CacheHandle cache, CounterTable table) {
    CacheEngine<?, ?> engine = table.engine();
    Repetition.Verdict verdict =
        repetition.begin(cache, !engine.isClustered() && table.isKept(), engine.timeoutMillis());
    if (verdict == Repetition.Verdict.EXECUTE) {
      Answer answer;
      try {
        answer = changed(table.by(repetition));
      } catch (RuntimeException failure) {
        repetition.failed(failure);
        throw failure;
      }
      begin(cache, answer);
      repetition.ending();
      reply.end();
    }
    return verdict != Repetition.Verdict.WAIT;
  }

  private boolean change(@Nullable CacheHandle cache, CounterTable.Repeatable table) {
    begin(cache, changed(table));
    reply.end();
    return true;
  }

  /** Begins the reply to a change, without its last fields. */
  private void begin(@Nullable CacheHandle cache, Answer answer) {
    reply.begin(request, cache);
    switch (answer.outcome()) {
      case UNKNOWN -> reply.status(Statuses.NOT_FOUND);
      case BOUND -> reply.status(Statuses.NOT_EXECUTED_WITH_PREVIOUS);
      case DONE -> {
        switch (request.operation) {
          case Opcodes.COUNTER_RESET, Opcodes.COUNTER_REMOVE -> {}
          case Opcodes.COUNTER_ADD_AND_GET -> {
            CounterState after = Objects.requireNonNull(answer.after());
            reply.body().writeLong(after.config().isWeak() ? 0L : after.value());
          }
          default -> reply.body().writeLong(answer.valueBefore());
        }
      }
    }
  }

  private Answer changed(CounterTable.Repeatable table) {
    String name = name();
    return switch (request.operation) {
      case Opcodes.COUNTER_ADD_AND_GET -> table.add(name, request.operand);
      case Opcodes.COUNTER_COMPARE_AND_SWAP ->
          table.compareAndSwap(name, request.operand, request.secondOperand);
      case Opcodes.COUNTER_GET_AND_SET -> table.getAndSet(name, request.operand);
      case Opcodes.COUNTER_RESET -> table.reset(name);
      case Opcodes.COUNTER_REMOVE -> table.remove(name);
      default -> throw new AssertionError(request.operation);
    };
  }

  // ---- listeners

  private void listener(@Nullable CacheHandle cache, CounterTable table, CounterClient client) {
    String name = name();
    byte[] id = ByteBufUtil.getBytes(request.in, request.value.index, request.value.length);
    if (table.find(name) == null) {
      answer(cache, Statuses.NOT_FOUND);
      return;
    }
    boolean isAdded = request.operation == Opcodes.COUNTER_ADD_LISTENER;
    boolean isOnly =
        isAdded
            ? client.listeners().add(table, name, id, client)
            : client.listeners().remove(name, id);
    begun = isAdded && isOnly ? client : null;
    answer(cache, isOnly ? Statuses.OK : Statuses.NOT_EXECUTED);
  }

  /** Notes that the answer to the last request was sent. On the event loop. */
  void answered() {
    CounterClient accepted = begun;
    begun = null;
    if (accepted != null) {
      accepted.answered();
    }
  }

  /** Forgets the last request, which nobody answers. */
  void forget() {
    begun = null;
  }

  // ---- replies

  private void answer(@Nullable CacheHandle cache, int status) {
    reply.begin(request, cache);
    reply.status(status);
    reply.end();
  }

  private void answer(@Nullable CacheHandle cache, long value) {
    reply.begin(request, cache);
    reply.body().writeLong(value);
    reply.end();
  }
}
