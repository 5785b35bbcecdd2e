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
 * The commands of one connection that are done aside, many at the same time, each on a virtual
 * thread: those that may have to wait for other nodes, or take long. Their replies leave in the
 * order of the commands. For the connection's event loop but where noted.
 */
final class AsideCommands {
  /*
   * Order. A client that sends commands without waiting for replies gets these guarantees:
   *
   * - replies come in the order of the commands;
   * - commands about the same key are done in their order. Each follows the one before it about a
   *   key of the same hash, on the same thread;
   * - a reply says that all earlier commands are done too, also those that have no reply;
   * - a command about several keys that has to wait, flush_all and stats are done after all before
   *   them and before all after them.
   *
   * Commands about different keys whose replies have not come may be done in any order, so another
   * connection can see the second of two sets before the first. A client that needs an order
   * between keys reads a reply in between.
   *
   * Sessions. What a command needs is in its session: the line, the key, a copy of the block, and
   * the replies, which are held. The connection goes on with another session. Replies that are made
   * at once are held by that session as long as commands before them are under way.
   *
   * Limits. So many commands, so many bytes of blocks, and so many bytes of replies to come, each
   * taken to be as large as the largest one of late; and no more than the connection's share of the
   * server's places; but always one. When there is no room, the connection works off nothing more,
   * and reads nothing more.
   */

  /** Enough to keep three servers busy; the sessions of so many take about 1 MiB. */
  static final int COUNT_MAX = 128;

  /** Bytes of blocks under way, and bytes that replies are expected to take. */
  static final int SIZE_MAX = 8 << 20;

  /** An expected size loses so much of itself with each smaller reply: 1/64. */
  private static final int FORGET_SHIFT = 6;

  /** A command under way. */
  private static final class AsideCommand {
    private final TextSession session;
    private final int size;

    /** Whether it has a place of the server's. */
    private final boolean hasPlace;

    /** The next command about the key; the command itself when there can be none any more. */
    private final AtomicReference<@Nullable AsideCommand> next = new AtomicReference<>();

    /** Written by the command's thread, before {@link #isDone}. */
    private @Nullable Throwable failure;

    /** Written by the command's thread, which has nothing to do with the session afterwards. */
    private volatile boolean isDone;

    AsideCommand(TextSession session, boolean hasPlace) {
      this.session = session;
      this.size = session.keptSize();
      this.hasPlace = hasPlace;
    }

    /** Queues a command behind this one, for the same thread; false if this one is over. */
    boolean tryLetFollow(AsideCommand later) {
      return next.compareAndSet(null, later);
    }

    /** Does it; any thread. Returns the command that follows, or null. */
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

  /** The oldest first. */
  private final ArrayDeque<AsideCommand> commands = new ArrayDeque<>();

  /** The last command by the hash of its key. */
  private final Map<Integer, AsideCommand> latest = new HashMap<>();

  /** Sessions for reuse while commands are under way. */
  private final ArrayDeque<TextSession> free = new ArrayDeque<>();

  /** Whether the event loop will look for commands that are done. */
  private final AtomicBoolean isWoken = new AtomicBoolean();

  private long size;
  private long expectedReplySize;
  private boolean isAlone;

  /**
   * Begins without commands.
   *
   * @param whenDone run on the event loop when there are replies to {@link #moveReplies}
   */
  AsideCommands(MemcachedEndpoint endpoint, EventExecutor executor, Runnable whenDone) {
    this.endpoint = endpoint;
    this.executor = executor;
    this.whenDone = whenDone;
  }

  /** Whether there are no commands whose replies were not passed on. */
  boolean isEmpty() {
    return commands.isEmpty();
  }

  /** Whether there is a command before whose end nothing else is begun. */
  boolean isAlone() {
    return isAlone;
  }

  /** Whether a command about a key of a hash is under way. */
  boolean has(int keyHash) {
    return !latest.isEmpty() && latest.containsKey(keyHash);
  }

  /** A session that was used here and can be used again, or null. */
  @Nullable TextSession takeFree() {
    return free.poll();
  }

  // ---- the way in

  /**
   * Does what a session postponed, on another thread, which has the session until its reply is
   * passed on. A block must be kept.
   *
   * @return false if there is no room for it now; there is when some command is done
   */
  boolean tryStart(TextSession session) {
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
    AsideCommand before = isAlone ? null : latest.put(session.keyHash(), command);
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

  /** Does a command and those that follow it. Any thread. */
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

  // ---- the way out

  /**
   * Passes on the replies whose turn it is, as far as the client takes them.
   *
   * @return what broke the next command, or null
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
    latest.remove(command.session.keyHash(), command);
    if (commands.isEmpty()) {
      free.clear(); // so that a connection that waits for its client has one session
    } else {
      free.push(command.session);
    }
  }

  /** Drops the commands that are done, since the connection ended. */
  void dropDone() {
    commands.removeIf(command -> {
      if (command.isDone) {
        command.session.release();
      }
      return command.isDone;
    });
  }
}
