package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries messages between this node and others. Thread-safe. */
public interface Transport extends Outbox, AutoCloseable {
  /** This life of this node, as others see it. */
  NodeId self();

  /** Where this node listens, or null if it is not on a network. */
  default @Nullable SeedAddress listensAt() {
    return null;
  }

  /** What last went wrong with a connection to another node or from one, or null. */
  default @Nullable String lastTrouble() {
    return null;
  }

  /** Returns what was sent so far; nothing where nobody counts. */
  default SentMessages sentMessages() {
    return SentMessages.NONE;
  }

  /**
   * The time at which the last message of a node came, by the clock of this node, or null if none
   * did or nobody counts. The message may still wait to be handed over. Any thread, does not block.
   */
  default @Nullable Long lastArrivalNanos(NodeId node) {
    return null;
  }

  /**
   * Tries to connect to seeds other than this node, and says in words what happens. May block for
   * half a second per seed. Empty if there is nothing to connect to.
   */
  default List<String> tryOut(List<SeedAddress> seeds) {
    return List.of();
  }

  /** Where another node listens, or null if that is not known. Any thread, does not block. */
  default @Nullable SeedAddress listensAt(NodeId node) {
    return null;
  }

  /**
   * Looks for other nodes for a second; the next view names those that answer. Does nothing if it
   * looks already, or if nodes are found without being asked. Any thread, does not block.
   */
  default void look() {}

  /**
   * Writes messages in a version of the protocol, as a node asked for that can't read others. The
   * next topology that is learned decides anew. Any thread, does not block.
   *
   * @param version one that this node speaks
   */
  default void write(int version) {}

  /**
   * Takes note of where the members of a topology listen, and of the version of the protocol that
   * they speak. Any thread, does not block.
   */
  default void learn(Topology topology) {}

  /**
   * Returns whether connections to an address are refused, so that nobody listens there. May block
   * for a fifth of a second.
   */
  default boolean isRefused(SeedAddress address) {
    return false;
  }

  /** Hands over what has come and what comes from now on. To be called once. */
  void start(TransportHandler handler);

  /**
   * Sends what may still wait here for a thread that may block. To be called some time after {@link
   * #send}.
   *
   * @param mayBlock whether this thread may
   */
  void flush(boolean mayBlock);

  /** Returns whether there is a thread that runs tasks between messages: {@link #execute}. */
  default boolean runsTasks() {
    return false;
  }

  /**
   * Lets the thread that receives messages run a task soon; drops it if this is closed.
   *
   * @param task must be short and must not block
   * @throws UnsupportedOperationException if there is no such thread
   */
  default void execute(Runnable task) {
    throw new UnsupportedOperationException("no thread for tasks: node=" + self());
  }

  /**
   * Looks whether a node's process is dead, for a short time. If it is, the next view says so. Does
   * not block.
   */
  void probe(NodeId node);

  /**
   * Ends it as the end of the process would: others notice it as soon as they notice that. For a
   * node that failed; one that others still hear is not taken for dead. May block for some seconds.
   */
  default void abort() {
    close();
  }

  /** Ends it; nothing is handed over after that. Calling it twice is harmless. */
  @Override
  void close();
}
