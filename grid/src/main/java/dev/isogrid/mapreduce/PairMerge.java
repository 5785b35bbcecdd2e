package dev.isogrid.mapreduce;

import dev.isogrid.api.Combiner;
import dev.isogrid.codec.ObjectReader;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Iterates over many runs as if they were one. For one thread. */
final class PairMerge implements Iterator<Object> {
  private static final byte[] NONE = {};

  private final PriorityQueue<RunCursor> cursors;
  private final ObjectReader objects;
  private byte[] key = NONE;
  private int keyHash;

  PairMerge(Collection<Run> runs, ObjectReader objects) {
    this.objects = objects;
    this.cursors = new PriorityQueue<>(Math.max(1, runs.size()), RunCursor::compareKey);
    for (Run run : runs) {
      add(run.cursor());
    }
  }

  private void add(RunCursor cursor) {
    if (cursor.next()) {
      cursors.add(cursor);
    }
  }

  /** Moves to the next key, skipping the rest of this key's values. */
  boolean nextKey() {
    while (hasNext()) {
      skip();
    }
    RunCursor head = cursors.peek();
    if (head == null) {
      return false;
    }
    key = head.copyKey();
    keyHash = head.keyHash();
    return true;
  }

  private void skip() {
    RunCursor head = cursors.remove();
    add(head);
  }

  /** The key's bytes. */
  byte[] key() {
    return key;
  }

  /** The key's hash. */
  int keyHash() {
    return keyHash;
  }

  /** Whether the key has another value. */
  @Override
  public boolean hasNext() {
    RunCursor head = cursors.peek();
    return head != null && key.length > 0 && head.hasKey(keyHash, key);
  }

  /** The next value of the key. */
  @Override
  public Object next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Object value = cursors.element().value(objects);
    skip();
    return value;
  }

  /** All values of the key as one. */
  Object combined(Combiner<Object> combiner) {
    Object value = next();
    while (hasNext()) {
      value = CombiningCollector.combined(combiner, value, next());
    }
    return value;
  }

  /** Appends the key with all its values, as one if there is a combiner. */
  void appendKey(@Nullable Combiner<Object> combiner, PairBytes out, Runnable afterPair) {
    while (hasNext()) {
      RunCursor head = cursors.element();
      int at = RunCursor.begin(out);
      out.write(key, 0, key.length);
      int from = out.length();
      out.write(head.array(), head.valueOffset(), head.valueLength());
      skip();
      if (combiner != null && hasNext()) {
        Object first = PairCodec.read(out.array(), from, out.length() - from, objects);
        out.truncate(from);
        Object whole = CombiningCollector.combined(combiner, first, combined(combiner));
        PairCodec.write(whole, out);
      }
      RunCursor.end(out, at, keyHash, key.length);
      afterPair.run();
    }
  }
}
