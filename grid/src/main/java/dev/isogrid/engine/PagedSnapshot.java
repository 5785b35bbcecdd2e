package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.SegmentSnapshot;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Goes through a segment of another node page by page. For one thread. */
final class PagedSnapshot implements SegmentSnapshot<BinaryKey, Bytes> {
  private final Function<@Nullable EntryKey, EntryPage> pages;
  private final int epoch;
  private EntryPage page;
  private int next;

  PagedSnapshot(Function<@Nullable EntryKey, EntryPage> pages, int epoch) {
    this.pages = pages;
    this.epoch = epoch;
    this.page = pages.apply(null);
  }

  @Override
  public boolean next(EntryView<BinaryKey, Bytes> view) {
    while (next == page.items().size()) {
      if (page.isLast()) {
        return false;
      }
      page = pages.apply(page.last());
      next = 0;
    }
    EntryPage.Item item = page.items().get(next++);
    item.entry().show(item.key().toBinary(), epoch, view);
    return true;
  }
}
