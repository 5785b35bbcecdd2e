package dev.isogrid.server.memcached;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.server.net.AsidePlaces;
import dev.isogrid.server.net.OutputGate;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one connection that are executed aside, many at the same time, each on a virtual
 * thread: those that may have to wait for other nodes, or take long. Their replies leave in the
 * order of the commands. For the connection's event loop except where noted.
 */
final class AsideCommands {
  /*
   * Order. A client that sends commands without waiting for replies gets these guarantees:
   *
   * - replies come in the order of the commands;
   * - commands on the same key are executed in their order. Each follows the previous one on a key
   *   of the same hash, on the same thread;
   * - a reply means that all earlier commands are done too, also those without a reply;
   * - a command on several keys that has to wait, flush_all and stats are executed after all
   *   commands before them and before all after them.
   *
   * Commands on different keys without a reply yet may be executed in any order, so another
   * connection can see the second of two sets before the first. A client that needs an order
   * between keys reads a reply in between.
   *
   * Sessions. A command has everything in its session: the line, the key, a copy of the block, and
   * the replies, which are held. The connection continues with another session. That session holds
   * its immediate replies as long as earlier commands are in progress.
   *
   * Limits. The number of commands, their blocks' bytes, the expected bytes of their replies, and
   * the connection's share of the server's places are limited; one command is always allowed. A
   * reply is expected to be as large as the largest recent one. At a limit, the connection executes
   * and reads nothing more.
   */

  /** The most commands: enough to keep three servers busy; their sessions take about 1 MiB. */
  static final int COUNT_MAX = 128;

  /** Bytes of blocks in progress, and expected bytes of replies. */
  static final int SIZE_MAX = 8 << 20;

  /** The share of an expected size that it loses with each smaller reply: 1/64. */
  private static final int FORGET_SHIFT = 6;

  /** A command in progress. */
  private static final class AsideCommand {
    private final Session session;
    private final int size;

    /** The hash of its key, kept since a long line and its key are gone before the command ends. */
    private final int keyHash;

    /** Whether it occupies a place of the server's limit. */
    private final boolean hasPlace;

    /** The next command on the key; the command itself when no more can follow. */
    private final AtomicReference<@Nullable AsideCommand> next = new AtomicReference<>();

    /** Written by the command's thread, before {@link #isDone}. */
    private @Nullable Throwable failure;

    /** Written by the command's thread, which does not use the session afterwards. */
    private volatile boolean isDone;

    AsideCommand(Session session, boolean hasPlace) {
      this.session = session;
      this.size = session.keptSize();
      this.keyHash = session.keyHash();
      this.hasPlace = hasPlace;
    }

    /**
     * Queues a command behind this one, for the same thread; returns false if this one has ended.
     */
    boolean tryLetFollow(AsideCommand later) {
      return next.compareAndSet(null, later);
    }

    /** Executes it; any thread. Returns the command that follows, or null. */
    @Nullable AsideCommand perform() {
      try {
        session.doPostponed();
      } catch (Throwable thrown) { // tidy: the connection must learn of it
        failure = thrown;
      }
      return end();
    }

    @Nullable AsideCommand end() {
      return next.getAndSet(this);
    }
  }

  private final MemcachedEndpoint endpoint;
  private final EventExecutor executor;
  private final Runnable whenDone;
  private final int connection;

  /** The commands, the oldest first. */
  private final ArrayDeque<AsideCommand> commands = new ArrayDeque<>();

  /** The last command by the hash of its key. */
  private final Map<Integer, AsideCommand> latest = new HashMap<>();

  /** Sessions for reuse while commands are in progress. */
  private final ArrayDeque<Session> free = new ArrayDeque<>();

  /** Whether the event loop will check for finished commands. */
  private final AtomicBoolean isWoken = new AtomicBoolean();

  private long size;
  private long expectedReplySize;
  private boolean isAlone;

  /**
   * Begins without commands.
   *
   * @param whenDone runs on the event loop when there are replies to {@link #moveReplies}
   */
  AsideCommands(MemcachedEndpoint endpoint, EventExecutor executor, Runnable whenDone) {
    this.connection = endpoint.nextConnection();
    this.endpoint = endpoint;
    this.executor = executor;
    this.whenDone = whenDone;
  }

  /** The number of the connection. */
  int connection() {
    return connection;
  }

  /** Whether there are no commands whose replies were not passed on. */
  boolean isEmpty() {
    return commands.isEmpty();
  }

  /** Whether a command is in progress before whose end no other may begin. */
  boolean isAlone() {
    return isAlone;
  }

  /** Whether a command on a key with a hash is in progress. */
  boolean has(int keyHash) {
    return !latest.isEmpty() && latest.containsKey(keyHash);
  }

  /** A used session for reuse, or null. */
  @Nullable Session takeFree() {
    return free.poll();
  }

  // ---- input

  /**
   * Executes the postponed operation of a session on another thread, which owns the session until
   * its reply is passed on. The session must have copied its block.
   *
   * @return false if there is no room until some command is done
   */
  boolean tryStart(Session session) {
    boolean isFirst = commands.isEmpty();
    AsidePlaces places = endpoint.aside();
    if (!isFirst && (session.isAlone() || !hasRoom(session.keptSize()) || !places.tryTake())) {
      return false;
    }
    session.hold();
    AsideCommand command = new AsideCommand(session, !isFirst);
    commands.add(command);
    size += command.size;
    isAlone = session.isAlone();
    AsideCommand before = isAlone ? null : latest.put(command.keyHash, command);
    if (before == null || !before.tryLetFollow(command)) {
      begin(command);
    }
    return true;
  }

  private boolean hasRoom(int blockSize) {
    int count = commands.size();
    return count < COUNT_MAX
        && endpoint.aside().hasShare(count)
        && size + blockSize <= SIZE_MAX
        && (count + 1) * expectedReplySize <= SIZE_MAX;
  }

  private void begin(AsideCommand command) {
    try {
      endpoint.context().node().env().scheduler().execute(() -> run(command));
    } catch (RejectedExecutionException failure) {
      command.session.answer(
          new RetryableGridException("server is stopping; try another one", failure));
      command.end();
      done(command);
    }
  }

  /** Executes a command and the following ones. Any thread. */
  private void run(AsideCommand first) {
    for (AsideCommand command = first; command != null; ) {
      AsideCommand next = command.perform();
      done(command);
      command = next;
    }
  }

  /** Any thread. */
  private void done(AsideCommand command) {
    if (command.hasPlace) {
      endpoint.aside().give();
    }
    command.isDone = true;
    if (!isWoken.compareAndSet(false, true)) {
      return;
    }
    try {
      executor.execute(this::wake);
    } catch (RejectedExecutionException _) {
      command.session.release(); // the event loop has ended, and the connection with it
    }
  }

  private void wake() {
    isWoken.set(false); // before looking, so that who is done later wakes again
    whenDone.run();
  }

  // ---- output

  /**
   * Passes on the replies in order, as far as the client takes them.
   *
   * @return the failure of the next command, or null
   */
  @Nullable Throwable moveReplies(OutputGate gate) {
    while (gate.isOpen()) { // which may lead back here, so the first command is asked for anew
      AsideCommand command = commands.peek();
      if (command == null || !command.isDone) {
        return null;
      }
      if (command.failure != null) {
        return command.failure;
      }
      commands.remove();
      end(command);
    }
    return null;
  }

  private void end(AsideCommand command) {
    long replySize = command.session.heldSize();
    expectedReplySize =
        Math.max(replySize, expectedReplySize - (expectedReplySize >> FORGET_SHIFT));
    size -= command.size;
    command.session.endPostponed();
    if (isAlone) {
      isAlone = false;
      return;
    }
    latest.remove(command.keyHash, command);
    if (commands.isEmpty()) {
      free.clear(); // so that a connection that waits for its client has one session
    } else {
      free.push(command.session);
    }
  }

  /** Drops the finished commands, since the connection ended. */
  void dropDone() {
    commands.removeIf(command -> {
      if (command.isDone) {
        command.session.release();
      }
      return command.isDone;
    });
  }
}
