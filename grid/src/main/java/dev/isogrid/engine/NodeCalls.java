package dev.isogrid.engine;

import dev.isogrid.base.NanoClock;
import dev.isogrid.cluster.Transport;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.JavaObjects;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.engine.CallMessage.Answer;
import dev.isogrid.engine.CallMessage.Cancel;
import dev.isogrid.engine.CallMessage.Request;
import dev.isogrid.engine.NodeCallException.Reason;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.NodeNames;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Has work done on nodes that is not an operation on an entry: one request, one answer, of bytes.
 * What is large is asked for in parts, each by a call of its own, so that the caller sets the pace
 * and nothing has to be remembered between them. Thread-safe.
 *
 * <p>A call is done at most once, and fails if no answer comes in time or the node is gone; the
 * caller decides whether to ask again. A node that has more calls than it may keep says that it is
 * busy.
 */
public final class NodeCalls implements AutoCloseable {
  /**
   * The largest request and answer, in bytes: room for the largest entry that is sent. What can be
   * cut should be cut to less than a mebibyte, so that it does not hold up others.
   */
  public static final int BODY_MAX = 49 << 20;

  /** Calls of others that a node does or keeps to be done. */
  private static final int SERVED_MAX = 1000;

  /** Nodes that are remembered as gone; calls to others wait for their time-out. */
  private static final int GONE_MAX = 1000;

  private record Pending(
      NodeId to, CompletableFuture<ByteString> answer, long deadlineNanos, long timeoutMillis) {}

  private record Served(NodeId from, long call) {}

  /** A call of another node in a trace. For the thread that serves it. */
  private static final class TracedCall {
    private final CallTrace trace;
    private String operation = "";
    private String cache = "";
    private @Nullable String error;

    TracedCall(CallTrace trace) {
      this.trace = trace;
    }
  }

  /** The call that a thread serves, if it is in a trace that somebody wants. */
  private static final ScopedValue<TracedCall> SERVED = ScopedValue.newInstance();

  private final NodeId self;
  private final NodeNames names;
  private final @Nullable Transport transport;
  private final NanoClock clock;
  private final ExecutorService workers;
  private final ObjectReader objects;
  private final Map<Integer, NodeService> services = new ConcurrentHashMap<>();

  /** The services that are asked on the thread that a request comes on. */
  private final Set<Integer> prompt = ConcurrentHashMap.newKeySet();

  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, Pending> pending = new ConcurrentHashMap<>();

  private final Map<Served, Future<?>> serving = new ConcurrentHashMap<>();

  /** The latest nodes that are gone, none of which comes back. */
  private final Set<NodeId> gone = ConcurrentHashMap.newKeySet();

  /** Null if nobody wants traces. Written by {@link #trace}. */
  private volatile @Nullable CallTraces traces;

  /** Whether what fails here from now on fails since the node is being closed. */
  private volatile boolean isClosing;

  private volatile boolean isClosed;

  /**
   * Begins without services.
   *
   * @param names of the nodes, this one included
   * @param transport not closed by this; null if there are no other nodes
   * @param workers where services run; closed with this
   * @param objects reads what other nodes send as objects
   */
  public NodeCalls(
      NodeNames names,
      @Nullable Transport transport,
      NanoClock clock,
      ExecutorService workers,
      ObjectReader objects) {
    this.self = names.self();
    this.names = names;
    this.transport = transport;
    this.clock = clock;
    this.workers = workers;
    this.objects = objects;
  }

  /** Reads what other nodes send as objects. */
  public ObjectReader objects() {
    return objects;
  }

  /** This node. */
  public NodeId self() {
    return self;
  }

  /** What people call the nodes, for messages. */
  public NodeNames names() {
    return names;
  }

  /**
   * Sets the service that does the work of a kind.
   *
   * @param number the same on all nodes, 0 to 255
   * @throws IllegalArgumentException if somebody does it already
   */
  public void offer(int number, NodeService service) {
    if (number < 0 || number > 0xFF || services.putIfAbsent(number, service) != null) {
      throw new IllegalArgumentException("no free number of a service: number=" + number);
    }
  }

  /**
   * Says who answers at once, on the thread that the request comes on: for what is looked up in
   * microseconds, without waiting, and without code of users.
   *
   * @param number as in {@link #offer}
   * @throws IllegalArgumentException if somebody does it already
   */
  public void offerPrompt(int number, NodeService service) {
    prompt.add(number);
    offer(number, service);
  }

  /**
   * Has something done, here or on another node.
   *
   * @param timeoutMillis how long an answer may take, 1 or more
   * @return completed by a thread that must not block, so what follows must be short or go
   *     elsewhere; fails with a {@link NodeCallException}; cancelling it interrupts the work
   */
  public CompletableFuture<ByteString> call(
      NodeId to, int service, ByteString request, long timeoutMillis) {
    return call(to, service, request, timeoutMillis, null);
  }

  /**
   * As {@link #call(NodeId, int, ByteString, long)}, for a call in a trace.
   *
   * @param trace its place, or null for none
   */
  public CompletableFuture<ByteString> call(
      NodeId to, int service, ByteString request, long timeoutMillis, @Nullable CallTrace trace) {
    checkLength(request);
    long number = numbers.incrementAndGet();
    long deadline = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    CompletableFuture<ByteString> answer = new CompletableFuture<>();
    pending.put(number, new Pending(to, answer, deadline, timeoutMillis));
    answer.whenComplete((_, _) -> ended(to, number, answer.isCancelled()));
    Request message = new Request(0, number, service, request, trace);
    if (isClosed || gone.contains(to)) {
      answer.completeExceptionally(gone(to));
    } else {
      send(to, message, false);
    }
    return answer;
  }

  private void ended(NodeId to, long number, boolean isCancelled) {
    pending.remove(number);
    if (isCancelled) {
      send(to, new Cancel(0, number), false);
    }
  }

  private static void checkLength(ByteString body) {
    if (body.length() > BODY_MAX) {
      throw new IllegalArgumentException(
          "too long for a call between nodes: bytes=%d, max=%d".formatted(body.length(), BODY_MAX));
    }
  }

  private void send(NodeId to, CallMessage message, boolean mayBlock) {
    if (to.equals(self)) {
      onMessage(self, message);
    } else if (transport != null) {
      transport.send(to, message);
      transport.flush(mayBlock);
    } else {
      gone(List.of(to));
    }
  }

  // ---- traces

  /** Sets what connects calls with traces from now on; null for nothing. Any thread. */
  public void trace(@Nullable CallTraces wanted) {
    traces = wanted;
  }

  /**
   * The place of the calling thread in a trace that is recorded, or null if there is none: that of
   * the call that it serves, or of what it executes.
   */
  public @Nullable CallTrace currentTrace() {
    CallTraces known = traces;
    if (known == null) {
      return null;
    }
    return SERVED.isBound() ? SERVED.get().trace : known.current();
  }

  /**
   * The same work for another thread, whose operations are parts of a trace meanwhile.
   *
   * @param trace null for none
   */
  public <T extends @Nullable Object> Callable<T> within(
      @Nullable CallTrace trace, Callable<T> work) {
    CallTraces known = traces;
    return known == null || trace == null ? work : known.within(trace, work);
  }

  /**
   * Says what the call is that this thread serves: it is reported as a part of its trace, if it has
   * one, when it is answered.
   *
   * @param operation its name, such as {@code stream}
   * @param cache the name of the cache
   */
  public void describe(String operation, String cache) {
    if (SERVED.isBound()) {
      TracedCall served = SERVED.get();
      served.operation = operation;
      served.cache = cache;
    }
  }

  /** Reports a part of a trace that this node executed, if anybody wants that. */
  public void report(CallTraces.Part part) {
    CallTraces known = traces;
    if (known != null) {
      known.report(part);
    }
  }

  // ---- messages

  /** A message came, from this node or another. Does not block. */
  void onMessage(NodeId from, CallMessage message) {
    switch (message) {
      case Request request -> onRequest(from, request);
      case Answer answer -> onAnswer(from, answer);
      case Cancel cancel -> onCancel(from, cancel);
    }
  }

  private void onRequest(NodeId from, Request request) {
    if (prompt.contains(request.service())) {
      send(from, answer(from, request), false);
      return;
    }
    Served key = new Served(from, request.call());
    FutureTask<?> work = new FutureTask<>(() -> serve(key, request), null);
    if (serving.size() >= SERVED_MAX) {
      send(
          from,
          refusal(request, "busy: node=%s, calls=%d".formatted(names.ofSelf(), serving.size())),
          false);
      return;
    }
    if (serving.putIfAbsent(key, work) != null) {
      return; // came twice
    }
    try {
      workers.execute(work);
    } catch (RejectedExecutionException closing) {
      serving.remove(key);
      send(from, refusal(request, "closing: node=" + names.ofSelf()), false);
    }
  }

  private static Answer refusal(Request request, String why) {
    NodeCallException busy = new NodeCallException(Reason.BUSY, why, null);
    return new Answer(request.epoch(), request.call(), true, serialized(busy));
  }

  private void serve(Served key, Request request) {
    CallTrace trace = traces == null ? null : request.trace();
    Answer answer;
    try {
      answer =
          trace == null
              ? answer(key.from(), request)
              : answerTraced(key.from(), request, new TracedCall(trace));
    } finally {
      serving.remove(key);
    }
    send(key.from(), answer, true);
  }

  private Answer answerTraced(NodeId from, Request request, TracedCall served) {
    long began = clock.nanoTime();
    Answer answer = ScopedValue.where(SERVED, served).call(() -> answer(from, request));
    if (!served.operation.isEmpty()) {
      report(
          new CallTraces.Part(
              served.trace,
              served.operation,
              served.cache,
              names.ofSelf(),
              clock.nanoTime() - began,
              answer.failed() ? served.error : null)); // else of a call within this one
    }
    return answer;
  }

  private Answer answer(NodeId from, Request request) {
    try {
      NodeService service = services.get(request.service());
      if (service == null) {
        throw new IllegalStateException(
            "no such service: number=%d, node=%s; run the same version on all nodes"
                .formatted(request.service(), names.ofSelf()));
      }
      ByteString body = service.serve(from, request.body());
      checkLength(body);
      return new Answer(0, request.call(), false, body);
    } catch (Throwable failure) { // tidy: top of the worker; all goes to the caller
      // what is ended by closing fails in any way, and did what it did
      Throwable told = isClosing ? noAnswer("node closed: node=" + names.ofSelf()) : failure;
      if (SERVED.isBound()) {
        SERVED.get().error = told.getClass().getName();
      }
      return new Answer(0, request.call(), true, serialized(told));
    }
  }

  private void onAnswer(NodeId from, Answer answer) {
    Pending call = pending.get(answer.call());
    if (call == null || !call.to.equals(from)) {
      return; // nobody waits any more
    }
    if (answer.failed()) {
      call.answer.completeExceptionally(failure(from, answer.body()));
    } else {
      call.answer.complete(answer.body());
    }
  }

  private void onCancel(NodeId from, Cancel cancel) {
    Future<?> work = serving.remove(new Served(from, cancel.call()));
    if (work != null) {
      work.cancel(true);
    }
  }

  /** Fails what did not get an answer in time, and ends it. To be called again and again. */
  void expire() {
    if (pending.isEmpty()) {
      return;
    }
    long now = clock.nanoTime();
    pending.forEach((number, call) -> {
      if (now - call.deadlineNanos >= 0) {
        String text =
            "no answer in %d ms: node=%s".formatted(call.timeoutMillis, names.of(call.to));
        call.answer.completeExceptionally(noAnswer(text));
        send(call.to, new Cancel(0, number), false);
      }
    });
  }

  /** Fails what waits for nodes that are gone, and ends what they wait for. */
  void gone(Collection<NodeId> nodes) {
    if (gone.size() >= GONE_MAX) {
      gone.clear();
    }
    gone.addAll(nodes);
    for (Pending call : pending.values()) {
      if (nodes.contains(call.to)) {
        call.answer.completeExceptionally(gone(call.to));
      }
    }
    serving.forEach((key, work) -> {
      if (nodes.contains(key.from)) {
        serving.remove(key);
        work.cancel(true);
      }
    });
  }

  /** A node is not gone after all: it is called again. */
  void heard(NodeId node) {
    gone.remove(node);
  }

  private NodeCallException gone(NodeId node) {
    return noAnswer("node gone: node=" + names.of(node));
  }

  private static NodeCallException noAnswer(String why) {
    return new NodeCallException(Reason.NO_ANSWER, why, null);
  }

  // ---- failures as bytes

  private static ByteString serialized(Throwable failure) {
    try {
      return JavaObjects.toBytes(failure);
    } catch (IOException | RuntimeException | LinkageError | StackOverflowError impossible) {
      RuntimeException instead = new RuntimeException(failure.toString());
      instead.setStackTrace(failure.getStackTrace());
      try {
        return JavaObjects.toBytes(instead);
      } catch (IOException notEvenThat) {
        throw new IllegalStateException(notEvenThat);
      }
    }
  }

  private NodeCallException failure(NodeId from, ByteString body) {
    Throwable cause = deserialized(body);
    if (cause instanceof NodeCallException ofCall) {
      return new NodeCallException(ofCall.reason(), "" + ofCall.getMessage(), ofCall.getCause());
    }
    return new NodeCallException(Reason.FAILED, "failed on a node: node=" + names.of(from), cause);
  }

  private @Nullable Throwable deserialized(ByteString body) {
    try {
      byte[] bytes = body.toByteArray();
      return (Throwable) objects.read(bytes, 0, bytes.length);
    } catch (VirtualMachineError grave) {
      if (!(grave instanceof StackOverflowError)) {
        throw grave;
      }
      return unknown(grave);
    } catch (IOException | ClassNotFoundException | RuntimeException | Error unknown) {
      return unknown(unknown); // an error too: a peer's bytes name classes that fail here
    }
  }

  private static RuntimeException unknown(Throwable why) {
    return new RuntimeException("failure of a kind that this node does not know", why);
  }

  /**
   * Tells callers of what fails here from now on that this node closes, so that they ask another
   * one. What goes well is answered as before.
   */
  public void closing() {
    isClosing = true;
  }

  /** Fails what waits, and ends what is done for others. Calling it twice is harmless. */
  @Override
  public void close() {
    isClosing = true;
    isClosed = true;
    pending.values().forEach(call -> call.answer.completeExceptionally(gone(self)));
    workers.shutdownNow();
  }
}
