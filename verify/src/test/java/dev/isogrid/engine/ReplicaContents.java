package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** A node's copies of the entries of a cache, whether or not it may serve them. */
public final class ReplicaContents {
  private ReplicaContents() {}

  /** The values of a segment with their versions, by key, as hexadecimal text. */
  public static Map<String, String> of(CacheEngine<?, ?> engine, int index) {
    if (!(engine instanceof ReplicatedEngine replicated)) {
      return Map.of();
    }
    Map<String, String> found = new TreeMap<>();
    if (replicated.store().isOnDisk()) {
      addAll(replicated.store().walk(index), replicated.newView(), found);
      return found;
    }
    Segment<BinaryKey, Bytes> segment = replicated.container.segmentAt(index);
    EntryView<BinaryKey, Bytes> view = replicated.newView();
    segment.lock();
    try {
      addAll(segment.snapshot(), view, found);
    } finally {
      segment.unlock();
    }
    return found;
  }

  private static void addAll(
      SegmentSnapshot<BinaryKey, Bytes> all,
      EntryView<BinaryKey, Bytes> view,
      Map<String, String> found) {
    while (all.next(view)) {
      found.put(
          hex(view.key().toByteArray()), view.version() + ":" + hex(view.value().toByteArray()));
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Whether a node may serve its primary segments, by its own knowledge. Takes no lock. */
  public static boolean isLeased(ClusterDriver driver) {
    return driver.isLeased();
  }

  /** Whether a node was closed, or stopped by itself. Takes no lock. */
  public static boolean isEnded(ClusterDriver driver) {
    return driver.isEnded();
  }
}
