package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Container;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.ObjectTables;
import dev.isogrid.store.Occupancy;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.store.ValueReader;
import dev.isogrid.topology.NodeId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of objects whose segments move from node to node when a test says so. Every node has all
 * entries, but sees only some of them in a segment from when it stops to answer for it, or is told
 * that the walk is over: what is seen of it then must not count. Thread-safe.
 */
public final class MovingSegments implements AutoCloseable {
  private static final CacheConfig CONFIG = CacheConfig.builder().build();

  private final List<NodeId> nodes;
  private final LocalEngine<Object, Object> entries;
  private final Container<Object, Object> container;
  private final Env env;
  private final Runnable onStep;

  /** The node that answers for each segment, by its index, or -1; guarded by this. */
  private final int[] primaries;

  /** How often each segment moved; guarded by this. */
  private final long[] moves;

  /** Each node's knowledge of the primaries; guarded by this. */
  private final int[][] known;

  /**
   * Begins with all segments at the first nodes.
   *
   * @param onStep called for each step that an engine is asked for, before it is done, by any
   *     thread; must not block
   */
  // tidy: one call, in a test
  public MovingSegments(
      List<NodeId> nodes,
      int segments,
      int firstNodes,
      Map<Object, Object> content,
      Env env,
      Runnable onStep) {
    this.nodes = List.copyOf(nodes);
    this.env = env;
    this.onStep = onStep;
    this.container = Container.ofObjects(segments, 1, env.epochClock(), new Occupancy(true));
    this.entries = new LocalEngine<>("moving", CONFIG, container, env);
    KeyWrite<Object, Object> write = new KeyWrite<>();
    content.forEach((key, value) -> entries.write(key, ObjectTables.hash(key), write.put(value)));
    this.primaries = new int[segments];
    Arrays.setAll(primaries, segment -> segment % firstNodes);
    this.moves = new long[segments];
    this.known = new int[nodes.size()][];
    Arrays.setAll(known, _ -> primaries.clone());
  }

  /** The cache as a node sees it. */
  public CacheEngine<Object, Object> engine(int node) {
    return new OfNode(node);
  }

  /** Moves a segment to a node, or to nobody if -1; no other node knows it yet. */
  public synchronized void move(int segment, int node) {
    if (primaries[segment] != node) {
      primaries[segment] = node;
      moves[segment]++;
      if (node >= 0) {
        known[node][segment] = node;
      }
    }
  }

  /** The node that answers for a segment, or -1. */
  public synchronized int primary(int segment) {
    return primaries[segment];
  }

  /** Lets a node know all primaries. */
  public synchronized void tell(int node) {
    known[node] = primaries.clone();
  }

  private synchronized long serving(int node, int segment) {
    return primaries[segment] == node ? moves[segment] : -1;
  }

  private synchronized int known(int node, int segment) {
    return known[node][segment];
  }

  @Override
  public void close() {
    entries.close();
  }

  private final class OfNode extends CacheEngine<Object, Object> {
    private final int node;

    OfNode(int node) {
      super(
          "moving",
          CONFIG,
          MovingSegments.this.container,
          MovingSegments.this.env,
          new FlightWaits());
      this.node = node;
    }

    @Override
    public boolean isClustered() {
      return true;
    }

    @Override
    public boolean mayWait(int hash, boolean isRead) {
      return true;
    }

    @Override
    public long serving(int index) {
      onStep.run();
      return MovingSegments.this.serving(node, index);
    }

    @Override
    public boolean hasServed(int index, long since) {
      onStep.run();
      return MovingSegments.this.serving(node, index) == since;
    }

    @Override
    public @Nullable NodeId primary(int index) {
      onStep.run();
      int primary = known(node, index);
      return primary < 0 ? null : nodes.get(primary);
    }

    @Override
    public SegmentSnapshot<Object, Object> snapshot(int index) {
      onStep.run();
      long since = MovingSegments.this.serving(node, index);
      if (since < 0) {
        throw moved(index);
      }
      SegmentSnapshot<Object, Object> walk = entries.snapshot(index);
      return view -> next(walk, view, index, since);
    }

    private boolean next(
        SegmentSnapshot<Object, Object> walk,
        EntryView<Object, Object> view,
        int index,
        long since) {
      onStep.run();
      boolean hasNext = walk.next(view);
      if (MovingSegments.this.serving(node, index) != since && hasNext) {
        if (index % 2 == 0) {
          throw moved(index);
        }
        return false;
      }
      return hasNext;
    }

    private RetryableGridException moved(int index) {
      return new RetryableGridException(
          "segment moved: segment=%d, node=%d".formatted(index, node));
    }

    /** Asks the primary where the real one would. */
    @Override
    Segment.Found look(
        Object key,
        int hash,
        EntryView<Object, Object> view,
        EntryReader<Object, Object> reader,
        boolean mayWait) {
      onStep.run();
      return entries.look(key, hash, view, reader, mayWait);
    }

    @Override
    public @Nullable Object readObject(Object key, int hash) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object tryReadValue(BinaryKey key, int hash, ValueReader<?> reader) {
      throw new UnsupportedOperationException();
    }

    @Override
    long change(Object key, int hash, Mutation<Object, Object> mutation, boolean mayWait) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Bulk<Object, Object> bulk() {
      throw new UnsupportedOperationException();
    }

    @Override
    void foundExpired(Object key, int hash) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void clear(boolean isSilent) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long size() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long count(int index) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SegmentSnapshot<Object, Object> orderedFrom(int index, @Nullable Object after) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Subscription addListener(ChangeListener<Object, Object> listener) {
      throw new UnsupportedOperationException();
    }

    @Override
    void endTasks() {}
  }
}
