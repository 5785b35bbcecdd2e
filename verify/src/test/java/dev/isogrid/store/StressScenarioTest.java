package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.PageUse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Shows that the set-up of the stress tests is as described. */
class StressScenarioTest {
  @Test
  void compact_atTheBrink_movesTheKeyToAPageOfItsOwn() {
    StressedSegment segment = StressedSegment.offHeap();
    OffHeapStress.fillToTheBrink(segment);
    assertEquals(0, pagesOfTheKeyAlone(segment.pages()));

    OffHeapStress.compact(segment);

    assertEquals(1, pagesOfTheKeyAlone(segment.pages()));
    assertEquals(StressedSegment.OLD, segment.end(StressKeys.KEY));
  }

  private static long pagesOfTheKeyAlone(List<PageUse> pages) {
    int overhead = 20;
    return pages.stream()
        .filter(page -> page.usedBytes() == page.liveBytes())
        .filter(page -> page.usedBytes() > OffHeapStress.MOVED_LENGTH)
        .filter(page -> page.usedBytes() < OffHeapStress.MOVED_LENGTH + overhead)
        .count();
  }
}
