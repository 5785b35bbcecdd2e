package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.engine.SideWrites.Seen;
import dev.isogrid.engine.SideWrites.Status;
import dev.isogrid.engine.SideWrites.Wanted;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.topology.NodeId;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The writes that a side keeps. */
class SideWritesTest {
  private static final NodeId KEEPER = new NodeId(0, 7);
  private static final EntryKey KEY = new EntryKey(3, new byte[] {1});
  private static final EntryKey OTHER_KEY = new EntryKey(4, new byte[] {2});
  private static final Seen NONE = new Seen(0, 0);

  private final SideWrites writes = new SideWrites(10_000);

  private static Wanted put(EntryKey key, long expected, long sequence) {
    return new Wanted(key, expected, entry(sequence), sequence);
  }

  private static DetachedEntry entry(long sequence) {
    return new DetachedEntry(
        sequence, 0, -1, 0, -1, 0, null, RealCluster.bytes("value-" + sequence));
  }

  private static KeptWrite kept(EntryKey key, long base, long sequence, long turn) {
    return new KeptWrite(key, base, entry(sequence), sequence, turn, null);
  }

  private void done(Wanted wanted, Seen base) {
    assertEquals(Status.BEGUN, writes.begin(wanted, base, 0));
    writes.commit(wanted.key());
  }

  private @Nullable DetachedEntry value() {
    return requireNonNull(writes.find(KEY)).live(0);
  }

  @Test
  void begin_goesByTheCopyFirstAndThenByWhatIsKept() {
    assertEquals(Status.CHANGED, writes.begin(put(KEY, 0, 101), new Seen(5, 5), 0));
    done(put(KEY, 5, 101), new Seen(5, 5));
    assertEquals(Status.CHANGED, writes.begin(put(KEY, 5, 102), new Seen(5, 5), 0));
    done(put(KEY, 101, 103), NONE);
    assertEquals(entry(103), value());
    assertEquals(5, requireNonNull(writes.own(KEY)).base());
  }

  @Test
  void begin_ofWhatIsKeptAlready_isDoneAndChangesNothing() {
    done(put(KEY, 0, 101), NONE);
    assertEquals(Status.DONE, writes.begin(put(KEY, 0, 101), NONE, 0));
    assertEquals(1, writes.ownCount());
  }

  @Test
  void begin_whileAnotherIsNotDecided_isBusyAndThatIsNotSeen() {
    assertEquals(Status.BEGUN, writes.begin(put(KEY, 0, 101), NONE, 0));
    assertNull(writes.find(KEY));
    assertTrue(writes.isOpen(KEY));
    assertEquals(Status.BUSY, writes.begin(put(KEY, 0, 102), NONE, 0));
    writes.abort(KEY);
    assertFalse(writes.isOpen());
    assertEquals(0, writes.bytes());
    done(put(KEY, 0, 102), NONE);
  }

  @Test
  void begin_ofAnExpiredEntry_findsNone() {
    DetachedEntry mortal =
        new DetachedEntry(101, 0, 10, 0, -1, 0, null, RealCluster.bytes("short"));
    done(new Wanted(KEY, 0, mortal, 101), NONE);
    assertEquals(Status.CHANGED, writes.begin(put(KEY, 0, 102), NONE, 9));
    assertEquals(Status.BEGUN, writes.begin(put(KEY, 0, 102), NONE, 10));
  }

  @Test
  void begin_beyondTheBound_isRefusedUntilThereIsRoom() {
    long max = kept(KEY, 0, 101, 1).sizeBytes();
    SideWrites small = new SideWrites(max);
    assertEquals(Status.BEGUN, small.begin(put(KEY, 0, 101), NONE, 0));
    small.commit(KEY);
    assertEquals(max, small.bytes());
    assertEquals(Status.FULL, small.begin(put(OTHER_KEY, 0, 102), NONE, 0));
    assertFalse(small.tryCopy(KEEPER, kept(OTHER_KEY, 0, 102, 1)));
    assertEquals(Status.BEGUN, small.begin(put(KEY, 101, 103), NONE, 0));
    small.commit(KEY);
    small.settled(requireNonNull(small.own(KEY)), 9);
    assertEquals(0, small.bytes());
    assertTrue(small.tryCopy(KEEPER, kept(OTHER_KEY, 0, 102, 1)));
  }

  @Test
  void settled_whenTheSideWroteAgain_leavesThatWithTheNewBase() {
    done(put(KEY, 0, 101), NONE);
    KeptWrite first = requireNonNull(writes.own(KEY));
    done(put(KEY, 101, 102), NONE);
    writes.settled(first, 9);
    KeptWrite left = requireNonNull(writes.own(KEY));
    assertEquals(9, left.base());
    assertEquals(102, left.sequence());
    writes.settled(left, 10);
    assertFalse(writes.isOpen());
    assertEquals(0, writes.bytes());
  }

  @Test
  void copies_areThoseOfTheLatestTurn() {
    assertTrue(writes.tryCopy(KEEPER, kept(KEY, 0, 102, 2)));
    assertTrue(writes.tryCopy(KEEPER, kept(KEY, 0, 101, 1)));
    assertEquals(entry(102), value());
    assertEquals(Set.of(KEEPER), writes.keepers());
    assertFalse(writes.isOpen());
    writes.dropCopies(KEEPER);
    assertNull(writes.find(KEY));
    assertEquals(0, writes.bytes());
  }

  @Test
  void begin_afterACopy_knowsThatTheKeeperMayHandThatOver() {
    assertTrue(writes.tryCopy(KEEPER, kept(KEY, 5, 101, 1)));
    done(put(KEY, 101, 102), NONE);
    KeptWrite own = requireNonNull(writes.own(KEY));
    assertEquals(5, own.base());
    assertEquals(new KeptWrite.Ours(5, entry(101)), own.ours());
  }

  @Test
  void takeOver_makesCopiesItsOwnUnlessItWroteItself() {
    assertTrue(writes.tryCopy(KEEPER, kept(KEY, 5, 101, 1)));
    assertTrue(writes.tryCopy(KEEPER, kept(OTHER_KEY, 6, 102, 2)));
    done(put(OTHER_KEY, 102, 103), NONE);
    assertEquals(2, writes.takeOver(KEEPER));
    assertEquals(new KeptWrite.Ours(5, entry(101)), requireNonNull(writes.own(KEY)).ours());
    assertEquals(103, requireNonNull(writes.own(OTHER_KEY)).sequence());
    assertEquals(Set.of(), writes.keepers());
  }

  @Test
  void dropCache_forgetsAllOfIt() {
    done(put(KEY, 0, 101), NONE);
    assertTrue(writes.tryCopy(KEEPER, kept(OTHER_KEY, 6, 102, 2)));
    assertEquals(0, writes.dropCache(OTHER_KEY.cacheId()));
    assertNull(writes.find(OTHER_KEY));
    assertEquals(1, writes.dropCache(KEY.cacheId()));
    assertEquals(0, writes.bytes());
  }

  @Test
  void first_isTheOldestThatIsNotBeingDone() {
    done(put(KEY, 0, 101), NONE);
    done(put(OTHER_KEY, 0, 102), NONE);
    assertEquals(KEY, requireNonNull(writes.first(Set.of())).key());
    assertEquals(OTHER_KEY, requireNonNull(writes.first(Set.of(KEY))).key());
    assertNull(writes.first(Set.of(KEY, OTHER_KEY)));
  }
}
