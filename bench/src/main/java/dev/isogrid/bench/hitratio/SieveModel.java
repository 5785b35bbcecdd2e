package dev.isogrid.bench.hitratio;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * SIEVE: entries in the order of insertion, and a hand that goes from the oldest to the newest and
 * evicts the first one that was not used since it last came by.
 *
 * <p>Y. Zhang et al., SIEVE is simpler than LRU, NSDI 2024.
 */
final class SieveModel implements Policy.Requests {
  private final int capacity;
  private final Map<Integer, Node> entries = new HashMap<>();
  private @Nullable Node newest;
  private @Nullable Node oldest;
  private @Nullable Node hand;

  SieveModel(int capacity) {
    this.capacity = capacity;
  }

  private static final class Node {
    private final int key;
    private boolean used;
    private @Nullable Node newer;
    private @Nullable Node older;

    Node(int key) {
      this.key = key;
    }
  }

  @Override
  public boolean ask(int key) {
    Node found = entries.get(key);
    if (found != null) {
      found.used = true;
      return true;
    }
    if (entries.size() >= capacity) {
      evict();
    }
    Node added = new Node(key);
    added.older = newest;
    if (newest != null) {
      newest.newer = added;
    }
    newest = added;
    if (oldest == null) {
      oldest = added;
    }
    entries.put(key, added);
    return false;
  }

  private void evict() {
    Node victim = Objects.requireNonNull(hand == null ? oldest : hand);
    while (victim.used) {
      victim.used = false;
      victim = Objects.requireNonNull(victim.newer == null ? oldest : victim.newer);
    }
    hand = victim.newer;
    if (victim.newer == null) {
      newest = victim.older;
    } else {
      victim.newer.older = victim.older;
    }
    if (victim.older == null) {
      oldest = victim.newer;
    } else {
      victim.older.newer = victim.newer;
    }
    entries.remove(victim.key);
  }
}
