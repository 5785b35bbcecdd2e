package dev.isogrid.client;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of some links and their connections, one thing at a time, on the threads that use
 * them: there is a thread of its own only for what no caller waits for. Thread-safe; methods whose
 * comment says "in the turn" are for code that the loop calls.
 */
final class EventLoop {
  /*
   * Two rights go from thread to thread.
   *
   * The turn is the right to touch links and connections: to encode requests, to write to sockets
   * and read from them without waiting, and to decode answers. A thread with something to do adds
   * it to the queues and tries to get the turn. If another thread has it, that thread does the
   * work: it looks at the queues again after each time that it gave the turn back. So only the
   * thread that found sockets ready waits for the turn, and none sleeps while it has it. Code of
   * users does not run in the turn.
   *
   * The watch is the right to wait for the sockets, in select. It is free, or belongs to an
   * operation whose thread waits for its answer, or to the loop's own thread. It is given and taken
   * back in the turn only. In the best case a thread writes its request and gets the watch in one
   * turn, waits for the socket, and reads its answer and gives the watch back in another turn.
   *
   * Invariants:
   *
   * 1. Work that is in a queue when a turn ends is seen by the thread that ends it, or by another
   *    one that has the turn then: work is added before tryLock, and tryLock fails only while
   *    another thread has the turn, which looks after it unlocked. A thread may also leave its work
   *    to the own thread, while that works (look) or by waking it (leave): the own thread writes
   *    WAITING before it looks a last time and waits.
   * 2. When a turn ends, the watch is not free if anything is expected from a socket: appoint() is
   *    the last step of every turn.
   * 3. The watch does not stay with an operation whose thread is gone. That thread writes the
   *    result and then reads Operation.watched; appoint() writes watched and then reads the result.
   *    Both are volatile, so at least one of the two takes the watch back.
   * 4. A thread with the watch wakes when its operation is done by another thread. The other one
   *    writes the result, then reads watched and wakes the selector, which remembers that; the
   *    thread reads the result before each select.
   * 5. A thread without the watch wakes when it gets it: await() writes the waiting thread, then
   *    reads watched, then parks; appoint() writes watched, then reads the thread and unparks it.
   *
   * The own thread keeps the watch until nothing is expected any more, and beyond that while there
   * was a crowd of callers lately, since each handing over wakes a thread. A thread that the
   * scheduler has stopped while it has a right holds the others up, as one with a lock does.
   * Virtual threads never get the watch, since select holds their carrier in some versions of Java;
   * the own thread watches for them.
   */
  private static final System.Logger log = System.getLogger(EventLoop.class.getName());

  /** After so many turns a thread leaves what others add all the time to the loop's own one. */
  private static final int TURNS_MAX = 16;

  /** While more callers than this wait, the loop's own thread watches: handing over costs more. */
  private static final int FOLLOWERS_MAX = 3;

  /** Callers that waited count for as many looks at the sockets at most after they got answers. */
  private static final int CROWD_MAX = 16;

  /** Sockets without a watching thread for this long are read before requests are written. */
  private static final long UNSEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int SCRATCH_BYTES = 64 << 10;

  /** Without timers there is nothing to wake up for. */
  private static final long PARK_NANOS_MAX = TimeUnit.HOURS.toNanos(1);

  /** The own thread waits, or is about to do so after another look at the queues. */
  private static final int WAITING = 0;

  /** It completes operations, which runs users' code; then it looks at the queues. */
  private static final int TELLING = 1;

  /** It works, and looks at the queues soon. */
  private static final int WORKING = 2;

  /** Stands for a result that is null. */
  private static final Object NULL = new Object();

  private final ReentrantLock turn = new ReentrantLock();
  private final Selector selector;
  private final LoopThread thread;
  private final SchemaWaits schemaWaits;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** Links that operations have arrived at, by {@link ServerLink#nextArrivedAt}. */
  private final AtomicReference<@Nullable ServerLink> arrivedAt = new AtomicReference<>();

  /** Ends of operations for the own thread to complete, after turns of other threads. */
  private final Queue<ArrayDeque<Object>> handedOver = new ConcurrentLinkedQueue<>();

  /** Null, an operation, or the own thread. Written in the turn. */
  private volatile @Nullable Object watcher;

  /** Whether more than a few callers waited lately; written in the turn. */
  private volatile boolean isCrowded;

  /** When the next timer is due; written in the turn. */
  private volatile long timerNanos = Nanos.now() + PARK_NANOS_MAX;

  /** One of the constants for it. Written by the own thread. */
  private volatile int ownActivity = WAITING;

  /** Written by close. */
  private volatile boolean isEnding;

  /** Written by the own thread at its end. */
  private volatile boolean isEnded;

  /** Belongs to the thread that watches, or to the turn if none does. */
  private final List<SelectionKey> ready = new ArrayList<>();

  private final Consumer<SelectionKey> collecting = ready::add;

  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it; Yields sees whether it pays
  private final Yields yields = new Yields(Nanos::now, Thread::yield);

  // The rest belongs to the turn.
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private final AwaitedOperations awaited = new AwaitedOperations();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
  private ArrayDeque<Object> ended = new ArrayDeque<>();

  /** When the sockets were looked at. */
  private long lookedNanos = Nanos.now();

  /** The callers that waited at a look at the sockets, less one for each look since then. */
  private int crowd;

  /** The operations that were sent, and whose threads can't watch. */
  private int unawaited;

  /** The number of connections that expect something other than an answer. */
  private int expecting;

  /** The own thread of a loop; it must not wait for answers, since it may have to read them. */
  private static final class LoopThread extends Thread {
    LoopThread(Runnable body, String name) {
      super(body, name);
      setDaemon(true);
    }
  }

  /** A task for later. */
  static final class Timer implements Comparable<Timer> {
    private final Runnable body;
    private final long periodNanos;
    private long dueNanos;

    /** Written by any thread. */
    private volatile boolean isCancelled;

    private Timer(Runnable body, long dueNanos, long periodNanos) {
      this.body = body;
      this.dueNanos = dueNanos;
      this.periodNanos = periodNanos;
    }

    void cancel() {
      isCancelled = true;
    }

    @Override
    public int compareTo(Timer other) {
      return Long.compare(dueNanos - other.dueNanos, 0);
    }
  }

  EventLoop(String name, SchemaWaits schemaWaits) {
    this.schemaWaits = schemaWaits;
    try {
      selector = Selector.open();
    } catch (IOException cause) {
      throw new TransportException("no selector: " + cause.getMessage(), cause);
    }
    thread = new LoopThread(this::runOwn, name);
  }

  /** Starts its thread. Once. */
  void start() {
    thread.start();
  }

  /** Whether this thread is the own one of any loop. */
  static boolean isOwnThread() {
    return Thread.currentThread() instanceof LoopThread;
  }

  // ---- for any thread ---------------------------------------------------------------------------

  /** Notes that a link has to look at what has arrived. {@link #look} follows. */
  void arrived(ServerLink link) {
    ServerLink head;
    do {
      head = arrivedAt.get();
      link.nextArrivedAt = head;
    } while (!arrivedAt.compareAndSet(head, link));
  }

  /**
   * Makes links look at arrived operations: by this thread, unless another one has the turn, or the
   * own one is about to take it.
   *
   * @param isAwaited whether the caller waits for these operations, so that users' code in the own
   *     thread must not hold it up
   */
  void look(boolean isAwaited) {
    int activity = ownActivity;
    if (isAwaited && isCrowded && activity == WAITING && !turn.isHeldByCurrentThread()) {
      yields.once(); // others add requests meanwhile, which one thread writes
      activity = ownActivity;
    }
    if (isAwaited ? activity < WORKING : activity < TELLING && unawaited == 0) {
      run();
    } else if (activity == WAITING) {
      wakeOwn();
    }
  }

  /** Whether many callers waited lately, so that the own thread watches. */
  boolean isCrowded() {
    return isCrowded;
  }

  /**
   * Lets other threads run if many callers wait, until an operation is done or for a while: then
   * its thread need not sleep. By that thread, before it waits.
   */
  void yieldFor(Operation<?> operation) {
    if (isCrowded) {
      yields.untilDone(operation);
    }
  }

  /** Runs something in the turn, at once unless another thread has the turn. */
  void execute(Runnable task) {
    tasks.add(task);
    run();
  }

  /**
   * Runs something in the turn soon, by the own thread: for callers that hold a lock, under which
   * they must do no other work of the loop.
   */
  void leave(Runnable task) {
    tasks.add(task);
    wakeOwn();
  }

  /** Runs something in the turn after a while. */
  void schedule(Runnable body, long delay, TimeUnit unit) {
    Timer timer = new Timer(body, Nanos.now() + unit.toNanos(delay), 0);
    execute(() -> add(timer));
  }

  /** Runs something in the turn again and again. Callers may hold locks. */
  Timer scheduleAtFixedRate(Runnable body, long firstNanos, long periodNanos) {
    Timer timer = new Timer(body, Nanos.now() + firstNanos, periodNanos);
    leave(() -> add(timer));
    return timer;
  }

  private void add(Timer timer) {
    timers.add(timer);
    if (timers.peek() == timer) {
      timerNanos = timer.dueNanos;
      wakeOwn();
    }
  }

  private boolean hasWork() {
    return arrivedAt.get() != null || !tasks.isEmpty();
  }

  private void run() {
    for (int i = 0; hasWork(); i++) {
      if (turn.isHeldByCurrentThread() || !turn.tryLock()) {
        return;
      }
      endTurn();
      if (i == TURNS_MAX && Thread.currentThread() != thread) {
        wakeOwn();
        return;
      }
    }
  }

  /** Does the pending work, and gives the turn back. */
  private void endTurn() {
    ArrayDeque<Object> told = null;
    try {
      work();
      appoint();
      assert watcher != null || !isExpecting() : "nobody watches";
      if (!ended.isEmpty()) {
        told = ended;
        ended = new ArrayDeque<>();
      }
    } finally {
      turn.unlock();
    }
    if (told != null) {
      if (Thread.currentThread() == thread) {
        ownActivity = TELLING;
        tell(told);
        ownActivity = WORKING;
      } else {
        handedOver.add(told);
        wakeOwn();
        if (isEnded) {
          tellHandedOver();
        }
      }
    }
  }

  private void work() {
    if (watcher == null && arrivedAt.get() != null && Nanos.now() - lookedNanos > UNSEEN_NANOS) {
      selectNow(); // a request must not go into a connection that the server has ended
      handleReady();
    }
    ServerLink link = arrivedAt.getAndSet(null);
    while (link != null) {
      ServerLink following = link.nextArrivedAt;
      link.nextArrivedAt = null;
      drainSafely(link);
      link = following;
    }
    Runnable task = tasks.poll();
    while (task != null) {
      runSafely(task);
      task = tasks.poll();
    }
  }

  /** A bug, or a lack of memory, must not end the work of all the other links and tasks. */
  private static void drainSafely(ServerLink link) {
    try {
      link.drainArrived();
    } catch (RuntimeException | Error failure) {
      log.log(Level.ERROR, () -> "requests are stuck: server=" + link.address(), failure);
    }
  }

  private static void runSafely(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error failure) { // as for links
      log.log(Level.ERROR, "a task of the client failed", failure);
    }
  }

  private void wakeOwn() {
    if (watcher == thread) {
      selector.wakeup();
    }
    LockSupport.unpark(thread);
  }

  /** Wakes the thread that watches, if one does, or the next one that does. */
  void wakeWatcher() {
    selector.wakeup();
  }

  // ---- the watch --------------------------------------------------------------------------------

  /** Makes some thread wait for the sockets, if anything is expected from them. */
  private void appoint() {
    Object now = watcher;
    if (now instanceof Operation<?> led) {
      if (!led.isDone() || !led.isWaitedForHere()) {
        return;
      }
      dismiss(led);
    } else if (now != null) {
      if (Thread.currentThread() != thread || isExpecting() || isCrowded) {
        return;
      }
      watcher = null;
    }
    if (isExpecting()) {
      choose();
    }
  }

  private boolean isExpecting() {
    return unawaited > 0 || expecting > 0 || awaited.count() > 0;
  }

  private void choose() {
    while (unawaited == 0 && expecting == 0 && awaited.count() <= FOLLOWERS_MAX && !isCrowded) {
      Operation<?> operation = awaited.newest();
      if (operation == null) {
        return;
      }
      if (operation.isDone() || operation.watched != null) { // given up, or sent elsewhere before
        awaited.remove(operation);
        unawaited++;
        break;
      }
      watcher = operation;
      operation.watched = this;
      if (!operation.isDone()) {
        operation.wake();
        return;
      }
      dismiss(operation);
    }
    watcher = thread;
    LockSupport.unpark(thread);
  }

  private void dismiss(Operation<?> operation) {
    operation.watched = null;
    watcher = null;
  }

  /** Gives the watch back, if an operation that is done has it. By its thread. */
  void release(Operation<?> operation) {
    turn.lock();
    try {
      if (operation.equals(watcher)) {
        dismiss(operation);
      }
    } finally {
      endTurn();
    }
    run();
  }

  /** Waits for the sockets, and handles those that are ready. For the thread with the watch. */
  void watch(long nanosMax) {
    select(nanosMax);
    handleSelected();
  }

  private void handleSelected() {
    turn.lock();
    try {
      handleReady();
    } finally {
      endTurn();
    }
    run();
  }

  private void select(long nanosMax) {
    try {
      selector.select(collecting, 1 + TimeUnit.NANOSECONDS.toMillis(nanosMax));
    } catch (ClosedSelectorException closed) {
      ready.clear(); // all operations have failed by now
    } catch (IOException cause) {
      log.log(Level.ERROR, "sockets can't be waited for", cause);
    }
  }

  private void handleReady() {
    lookedNanos = Nanos.now();
    crowd = Math.max(Math.min(awaited.count(), CROWD_MAX), crowd - 1);
    if (isCrowded != crowd > FOLLOWERS_MAX) {
      isCrowded = !isCrowded;
    }
    for (int i = 0; i < ready.size(); i++) {
      SelectionKey key = ready.get(i);
      ((Connection) key.attachment()).handle(key);
    }
    ready.clear();
  }

  // ---- in the turn ------------------------------------------------------------------------------

  /** Notes that an operation was sent. */
  void sent(Operation<?> operation) {
    if (operation.is(Operation.AWAITED)) {
      awaited.add(operation);
    } else {
      unawaited++;
    }
  }

  /** Notes that nothing is expected any more for an operation that was sent. */
  void settled(Operation<?> operation) {
    if (operation.awaitedIndex >= 0) {
      awaited.remove(operation);
    } else {
      unawaited--;
    }
  }

  /** Adds to the number of connections that expect something other than answers. */
  void expect(int connections) {
    expecting += connections;
  }

  /** A buffer for one call of the socket. */
  ByteBuffer scratch() {
    return scratch.clear();
  }

  /** Lets a socket be watched. */
  SelectionKey register(SocketChannel channel, int operations, Connection connection)
      throws IOException {
    SelectionKey key = channel.register(selector, operations, connection);
    if (watcher != null) {
      selector.wakeup();
    }
    return key;
  }

  /** Changes what a socket is watched for. */
  void watchFor(SelectionKey key, int operations) {
    if (key.isValid() && key.interestOps() != operations) {
      key.interestOps(operations);
      if (watcher != null) {
        selector.wakeup();
      }
    }
  }

  /** Ends an operation with a result: now if a caller of ours waits, else by the own thread. */
  <T extends @Nullable Object> void succeed(Operation<T> operation, T result) {
    if (operation.is(Operation.AWAITED | Operation.ENDS_IN_TURN)) {
      boolean wasAsleep = operation.succeed(result);
      if (isCrowded && operation.is(Operation.AWAITED)) {
        yields.answered(wasAsleep, lookedNanos);
      }
    } else if (operation.beginEnding()) {
      ended.add(operation);
      ended.add(result == null ? NULL : result);
    }
  }

  /** As {@link #succeed}, with a failure. */
  void fail(Operation<?> operation, HotRodClientException cause) {
    if (operation.is(Operation.AWAITED | Operation.ENDS_IN_TURN)) {
      operation.fail(cause);
    } else if (operation.beginEnding()) {
      ended.add(operation);
      ended.add(new Failure(cause));
    }
  }

  /** Stands for a result. */
  private record Failure(HotRodClientException cause) {}

  // ---- the own thread ---------------------------------------------------------------------------

  private void tellHandedOver() {
    ArrayDeque<Object> told = handedOver.poll();
    while (told != null) {
      tell(told);
      told = handedOver.poll();
    }
  }

  @SuppressWarnings("unchecked") // a result follows its operation
  private void tell(ArrayDeque<Object> told) {
    while (!told.isEmpty()) {
      Operation<@Nullable Object> operation = (Operation<@Nullable Object>) told.remove();
      Object result = told.remove();
      if (result instanceof Failure failure) {
        operation.fail(failure.cause());
      } else if (operation.is(Operation.UNDECODED)) {
        resolve(operation, result);
      } else {
        operation.succeed(NULL.equals(result) ? null : result);
      }
    }
  }

  /** Makes the objects of a result; if that waits for schemas, by another thread. */
  private void resolve(Operation<@Nullable Object> operation, Object result) {
    try {
      operation.succeed(operation.resolved(result));
    } catch (RuntimeException | Error cause) { // of a user's marshaller; other operations end, too
      if (!isOwnThread() || !RemoteSchemas.mustNotWait(cause)) {
        operation.fail(cause);
      } else {
        schemaWaits.execute(() -> resolve(operation, result), operation);
      }
    }
  }

  private void runOwn() {
    while (!isEnding) {
      try {
        step();
      } catch (Throwable failure) { // tidy: the top of a thread that all others rely on
        log.log(Level.ERROR, "a step of the client's event loop failed", failure);
      }
    }
    ownActivity = WAITING; // from now on others do all there is
    end();
  }

  private void step() {
    if (Thread.interrupted()) { // by code of users; select would not wait
      log.log(Level.DEBUG, "interrupt of an event loop's thread ignored");
    }
    runTimers();
    run();
    if (isCrowded) {
      yields.once(); // callers that run now add requests
      run();
    }
    ownActivity = TELLING;
    tellHandedOver();
    boolean isWatching = watcher == thread;
    ownActivity = WAITING;
    if (!hasWork() && handedOver.isEmpty()) {
      long left = Math.min(timerNanos - Nanos.now(), PARK_NANOS_MAX);
      if (isWatching) {
        select(Math.max(0, left));
      } else if (left > 0) {
        LockSupport.parkNanos(this, left);
      }
    }
    ownActivity = WORKING;
    if (isWatching) {
      handleSelected();
    }
  }

  private void runTimers() {
    if (timerNanos - Nanos.now() > 0) {
      return;
    }
    turn.lock();
    try {
      if (watcher == null) { // a server may have ended a connection that nobody uses
        selectNow();
        handleReady();
      }
      long now = Nanos.now();
      Timer timer = timers.peek();
      while (timer != null && (timer.isCancelled || timer.dueNanos - now <= 0)) {
        timers.remove();
        runTimer(timer, now);
        timer = timers.peek();
      }
      timerNanos = timer == null ? now + PARK_NANOS_MAX : timer.dueNanos;
    } finally {
      endTurn();
    }
  }

  private void runTimer(Timer timer, long now) {
    if (timer.isCancelled) {
      return;
    }
    runSafely(timer.body);
    if (timer.periodNanos > 0) {
      long missed = (now - timer.dueNanos) / timer.periodNanos;
      timer.dueNanos += (1 + missed) * timer.periodNanos;
      timers.add(timer);
    }
  }

  private void selectNow() {
    try {
      selector.selectNow(collecting);
    } catch (IOException cause) {
      log.log(Level.ERROR, "sockets can't be waited for", cause);
    }
  }

  /** Asks it to close all connections and to end its thread. Does not wait. */
  void close() {
    isEnding = true;
    wakeOwn();
  }

  /** Waits for the end of its thread, unless this is such a thread. */
  void awaitEnd(long millis) throws InterruptedException {
    if (!isOwnThread()) {
      thread.join(millis);
    }
  }

  private void end() {
    turn.lock();
    try {
      for (SelectionKey key : selector.keys()) {
        ((Connection) key.attachment()).closeNow();
      }
      while (!timers.isEmpty()) {
        Timer timer = timers.remove();
        if (timer.periodNanos == 0 && !timer.isCancelled) {
          runSafely(timer.body); // operations that were to be tried again fail now
        }
      }
    } finally {
      endTurn();
    }
    run();
    isEnded = true;
    tellHandedOver();
    try {
      selector.close();
    } catch (IOException cause) {
      log.log(Level.DEBUG, "selector not closed", cause);
    }
  }
}
