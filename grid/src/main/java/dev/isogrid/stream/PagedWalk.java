package dev.isogrid.stream;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A walk through entries of this node, and those that other nodes send page by page. */
final class PagedWalk implements EntryWalk<BinaryKey, Bytes> {
  private final CacheEngine<BinaryKey, Bytes> engine;
  private final Rounds rounds;
  private @Nullable StreamAnswer page;
  private BitSet finished = new BitSet();

  /**
   * Begins without a question.
   *
   * @param rounds of pages of packed entries; closed with this
   */
  PagedWalk(CacheEngine<BinaryKey, Bytes> engine, Rounds rounds) {
    this.engine = engine;
    this.rounds = rounds;
  }

  @Override
  public boolean next(EntryView<BinaryKey, Bytes> view) {
    while (true) {
      if (page == null) {
        engine.checkOpen();
        page = rounds.next();
        if (page == null) {
          return false;
        }
      }
      boolean isLive = false;
      while (!isLive && page.next(view)) {
        isLive = !view.isMortal() || !view.isExpired(engine.nowMillis());
      }
      if (page.isAtEnd()) {
        finished.or(page.done);
        page = null;
      }
      if (isLive) {
        return true;
      }
    }
  }

  @Override
  public BitSet takeFinished() {
    BitSet taken = finished;
    finished = new BitSet();
    return taken;
  }

  @Override
  public void close() {
    page = null;
    rounds.close();
  }
}
