package dev.isogrid.engine;

import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Transport;
import dev.isogrid.cluster.TransportHandler;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls between nodes of this process, with the faults that a network may have: messages are late,
 * overtake each other and are lost, nodes are busy, calls end since their time is over, and nodes
 * die. None comes twice, as none does in the real one. Thread-safe.
 *
 * <p>What happens to the n-th message between two nodes follows from the seed; which message that
 * is depends on how threads run.
 */
public final class FaultyCalls implements AutoCloseable {
  private static final long LATE_MICROS_MAX = 20_000;
  private static final long USUAL_MICROS_MAX = 300;

  private final long seed;
  private final Odds odds;
  private final Director director;
  private final Map<NodeId, NodeCalls> nodes = new ConcurrentHashMap<>();
  private final Set<NodeId> dead = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService line =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("faulty-calls").factory());

  /** The delayed messages, until they are released; guarded by itself. */
  private final List<Runnable> held = new ArrayList<>();

  private volatile boolean isCalm;

  /** The calls that were not answered, by who made them, and their numbers there. */
  private final Map<CallNumber, Call> called = new ConcurrentHashMap<>();

  private record CallNumber(NodeId caller, long number) {}

  /** A call between two nodes. */
  public record Call(NodeId from, NodeId to, int service, ByteString request) {}

  /** The fate of a message, whatever the odds are. */
  public enum Fate {
    /** A random fate by the odds. */
    USUAL,

    /** It is lost, and who called is told at once that the time is over. */
    LOST,

    /** It arrives when it is {@linkplain FaultyCalls#release released}. */
    HELD
  }

  /** Decides what becomes of messages. Called by any thread; must not block. */
  @FunctionalInterface
  public interface Director {
    /** Of the request of a call to another node, or of its answer. */
    Fate fate(Call call, boolean isAnswer);
  }

  /**
   * How often each fault is, 0 to 1.
   *
   * @param late messages that are late by far more than others
   * @param lost messages that don't arrive; who called is told that the time is over
   * @param over calls whose time is over while they are done
   * @param busy calls that are refused
   */
  public record Odds(double late, double lost, double over, double busy) {}

  /** Begins without nodes. */
  public FaultyCalls(long seed, Odds odds, Director director) {
    this.seed = seed;
    this.odds = odds;
    this.director = director;
  }

  /** Adds a node; closed with this. */
  public NodeCalls add(NodeId id) {
    NodeCalls calls =
        new NodeCalls(
            new NodeNames(id, ""),
            new Link(id),
            System::nanoTime,
            Executors.newVirtualThreadPerTaskExecutor(),
            ObjectReader.ofAllPackages());
    nodes.put(id, calls);
    return calls;
  }

  private NodeCalls node(NodeId id) {
    return Objects.requireNonNull(nodes.get(id));
  }

  /** Lets a node die: from now on nothing comes from it or gets to it. Nobody is told. */
  public void kill(NodeId node) {
    dead.add(node);
  }

  /** Whether a node is dead. */
  public boolean isDead(NodeId node) {
    return dead.contains(node);
  }

  /** Tells a node that another one is gone. */
  public void tellGone(NodeId to, NodeId gone) {
    node(to).gone(List.of(gone));
  }

  /** No faults from now on, but for nodes that are dead. */
  public void calm() {
    isCalm = true;
  }

  /** Lets messages arrive that were held back so far, in their order, before any that follow. */
  public void release() {
    synchronized (held) {
      held.forEach(each -> later(0, each));
      held.clear();
    }
  }

  /** Does something later, in the thread that delivers messages; it must not block. */
  public void later(long micros, Runnable work) {
    try {
      line.schedule(work, micros, TimeUnit.MICROSECONDS);
    } catch (RejectedExecutionException closed) {
      assert line.isShutdown() : closed;
    }
  }

  @Override
  public void close() {
    nodes.values().forEach(NodeCalls::close);
    line.shutdownNow();
  }

  private void deliver(NodeId from, NodeId to, long micros, CallMessage message) {
    later(micros, () -> arrive(from, to, message));
  }

  private void arrive(NodeId from, NodeId to, CallMessage message) {
    if (!dead.contains(from) && !dead.contains(to)) {
      node(to).onMessage(from, message);
    }
  }

  private void hold(NodeId from, NodeId to, CallMessage message) {
    synchronized (held) {
      held.add(() -> arrive(from, to, message));
    }
  }

  /** Fails a call at its caller, as if the caller had found out, or had been notified. */
  private void fail(NodeId caller, NodeId to, long call, Reason reason, long micros) {
    ByteString why;
    try {
      why = JavaObjects.toBytes(new NodeCallException(reason, "fault: to=" + to, null));
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    later(micros, () -> node(caller).onMessage(to, new Answer(0, call, true, why)));
  }

  /** The way out of one node. */
  private final class Link implements Transport {
    private final NodeId from;
    private final Map<NodeId, AtomicLong> counts = new ConcurrentHashMap<>();

    Link(NodeId from) {
      this.from = from;
    }

    @Override
    public NodeId self() {
      return from;
    }

    @Override
    public void start(TransportHandler handler) {}

    @Override
    public void send(NodeId to, Message message) {
      if (dead.contains(from) || dead.contains(to)) {
        return;
      }
      long number = counts.computeIfAbsent(to, _ -> new AtomicLong()).incrementAndGet();
      SplittableRandom random =
          new SplittableRandom(seed * 31 + from.low() * 1_000_003 + to.low() * 7919 + number * 53);
      random.nextLong(); // neighbouring seeds begin alike
      boolean isLate = !isCalm && random.nextDouble() < odds.late;
      long micros = random.nextLong(isLate ? LATE_MICROS_MAX : USUAL_MICROS_MAX);
      double fate = isCalm ? 1 : random.nextDouble();
      switch ((CallMessage) message) {
        case Request request -> {
          Call call = new Call(from, to, request.service(), request.body());
          called.put(new CallNumber(from, request.call()), call);
          switch (director.fate(call, false)) {
            case USUAL -> send(to, request, micros, fate);
            case LOST -> fail(from, to, request.call(), Reason.NO_ANSWER, 0);
            case HELD -> hold(from, to, request);
          }
        }
        case Answer answer -> {
          Call call = called.remove(new CallNumber(to, answer.call()));
          switch (call == null ? Fate.USUAL : director.fate(call, true)) {
            case USUAL -> answer(to, answer, micros, fate);
            case LOST -> fail(to, from, answer.call(), Reason.NO_ANSWER, 0);
            case HELD -> hold(from, to, answer);
          }
        }
        case Cancel cancel -> {
          if (fate >= odds.lost) {
            deliver(from, to, micros, cancel);
          }
        }
      }
    }

    private void send(NodeId to, Request request, long micros, double fate) {
      double over = odds.lost + odds.over;
      if (fate < odds.lost) {
        fail(from, to, request.call(), Reason.NO_ANSWER, micros);
      } else if (fate < over) {
        deliver(from, to, 0, request);
        fail(from, to, request.call(), Reason.NO_ANSWER, micros);
        deliver(from, to, micros, new Cancel(0, request.call()));
      } else if (fate < over + odds.busy) {
        fail(from, to, request.call(), Reason.BUSY, micros);
      } else {
        deliver(from, to, micros, request);
      }
    }

    private void answer(NodeId to, Answer answer, long micros, double fate) {
      if (fate < odds.lost) {
        fail(to, from, answer.call(), Reason.NO_ANSWER, micros);
      } else {
        deliver(from, to, micros, answer);
      }
    }

    @Override
    public void flush(boolean mayBlock) {}

    @Override
    public void probe(NodeId node) {}

    @Override
    public void close() {}
  }
}
