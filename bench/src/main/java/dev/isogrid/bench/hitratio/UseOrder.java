package dev.isogrid.bench.hitratio;

import java.util.Arrays;

/** Keys in the order of their last use, found by their place in it. Not thread-safe. */
final class UseOrder {
  /* A Fenwick tree over the times of the last uses; it counts the uses at or before a time. */

  private int[] tree = new int[2];
  private int[] keyAt = new int[2];
  private int time;
  private int keys;

  /** Adds a new key as the last used one. */
  int add() {
    note(keys);
    return keys++;
  }

  /**
   * Uses the key at a distance from the last used key, which itself has distance 1. Adds a new key
   * if there are fewer.
   */
  int use(int distance) {
    if (distance < 1 || distance > keys) {
      return add();
    }
    int at = find(keys - distance + 1);
    int key = keyAt[at];
    change(at, -1);
    note(key);
    return key;
  }

  private void note(int key) {
    if (++time == tree.length) {
      grow();
    }
    keyAt[time] = key;
    change(time, 1);
  }

  private void grow() {
    int half = tree.length;
    tree = Arrays.copyOf(tree, 2 * half);
    keyAt = Arrays.copyOf(keyAt, 2 * half);
    Arrays.fill(tree, 0);
    boolean[] seen = new boolean[keys + 1];
    for (int at = half - 1; at > 0; at--) {
      if (!seen[keyAt[at]]) {
        seen[keyAt[at]] = true;
        change(at, 1);
      }
    }
  }

  private void change(int at, int by) {
    for (int node = at; node < tree.length; node += node & -node) {
      tree[node] += by;
    }
  }

  /** The time at which the count reaches a number. */
  private int find(int number) {
    int before = 0;
    int rest = number;
    for (int step = Integer.highestOneBit(tree.length - 1); step > 0; step >>= 1) {
      int next = before + step;
      if (next < tree.length && tree[next] < rest) {
        before = next;
        rest -= tree[next];
      }
    }
    return before + 1;
  }
}
