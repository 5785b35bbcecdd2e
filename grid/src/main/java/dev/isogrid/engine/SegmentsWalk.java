package dev.isogrid.engine;

import dev.isogrid.store.EntryView;
import dev.isogrid.store.SegmentSnapshot;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A walk through segments that are this node's only, one after the other. */
final class SegmentsWalk<K, V> implements EntryWalk<K, V> {
  private final CacheEngine<K, V> engine;
  private final BitSet segments;
  private int segment;
  private @Nullable SegmentSnapshot<K, V> snapshot;
  private BitSet finished = new BitSet();

  /**
   * Begins.
   *
   * @param segments the wanted ones; taken
   */
  SegmentsWalk(CacheEngine<K, V> engine, BitSet segments) {
    this.engine = engine;
    this.segments = segments;
    this.segment = segments.nextSetBit(0);
  }

  @Override
  public boolean next(EntryView<K, V> view) {
    engine.checkOpen();
    while (segment >= 0) {
      if (snapshot == null) {
        snapshot = engine.snapshot(segment);
      }
      while (snapshot.next(view)) {
        if (!view.isMortal() || !view.isExpired(engine.nowMillis())) {
          return true;
        }
      }
      snapshot = null;
      finished.set(segment);
      segment = segments.nextSetBit(segment + 1);
    }
    return false;
  }

  @Override
  public BitSet takeFinished() {
    BitSet taken = finished;
    finished = new BitSet();
    return taken;
  }

  @Override
  public void close() {
    snapshot = null;
    segment = -1;
  }
}
