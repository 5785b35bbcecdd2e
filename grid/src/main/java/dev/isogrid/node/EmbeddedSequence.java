package dev.isogrid.node;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Sequence;
import dev.isogrid.structure.SequenceTable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A sequence for users in this process. Thread-safe. */
final class EmbeddedSequence implements Sequence {
  private final String name;
  private final int blockSize;
  private final SequenceTable table;

  /** Replaced by the one thread that refills. */
  private volatile Block block = new Block(0, 0);

  /** Completed, failed or not, when the thread that refills is done; null if there is none. */
  private final AtomicReference<@Nullable CompletableFuture<Boolean>> refilling =
      new AtomicReference<>();

  /** Some numbers of this node. */
  private static final class Block {
    private final AtomicLong next;
    private final long end;

    Block(long first, long end) {
      this.next = new AtomicLong(first);
      this.end = end;
    }

    /** The next number, or 0 if there is none. */
    long take() {
      long taken = next.get() < end ? next.getAndIncrement() : end;
      return taken < end ? taken : 0;
    }
  }

  EmbeddedSequence(String name, int blockSize, SequenceTable table) {
    this.name = name;
    this.blockSize = blockSize;
    this.table = table;
  }

  /** Refuses a use with blocks of another size. */
  void checkBlock(int wanted) {
    if (wanted != blockSize) {
      throw new InvalidRequestException(
          "sequence has another block on this node: name=%s, block=%d, wanted=%d; use the same"
                  .formatted(name, blockSize, wanted)
              + " everywhere on a node");
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long next() {
    while (true) {
      Block known = block;
      long taken = known.take();
      if (taken != 0) {
        return taken;
      }
      refill(known);
    }
  }

  /** Takes a new block, or waits for the thread that does. */
  private void refill(Block empty) {
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> other = refilling.compareAndExchange(null, mine);
    if (other != null) {
      other.join();
      return;
    }
    try {
      if (block.equals(empty)) {
        long first = table.take("q:" + name, blockSize);
        block = new Block(first, first + blockSize);
      }
    } finally {
      refilling.set(null);
      mine.complete(true);
    }
  }

  @Override
  public String toString() {
    return "Sequence[name=" + name + "]";
  }
}
