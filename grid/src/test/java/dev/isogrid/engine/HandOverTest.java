package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.MergePolicy;
import dev.isogrid.engine.HandOver.End;
import dev.isogrid.engine.HandOver.Ending;
import dev.isogrid.engine.HandOver.Merge;
import dev.isogrid.engine.HandOver.Read;
import dev.isogrid.engine.HandOver.Step;
import dev.isogrid.engine.HandOver.Write;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.DetachedEntry;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The way of a kept write to the cluster. */
class HandOverTest {
  private static final EntryKey KEY = new EntryKey(3, new byte[] {1});
  private static final Read READ = new Read();

  private static DetachedEntry entry(String value, long sequence) {
    return new DetachedEntry(sequence, 0, -1, 0, -1, 0, null, RealCluster.bytes(value));
  }

  private static HandOver of(long base, @Nullable DetachedEntry value) {
    HandOver way = new HandOver(new KeptWrite(KEY, base, value, 101, 1, null), 0);
    assertEquals(READ, way.begin());
    return way;
  }

  @Test
  void write_thatNobodyContradicted_isTaken() {
    DetachedEntry side = entry("side", 101);
    HandOver way = of(5, side);
    assertEquals(new Write(5, side), way.onRead(entry("before", 5)));
    assertEquals(new End(Ending.HANDED_OVER, 9), way.onWritten(9));
    HandOver removal = of(5, null);
    assertEquals(new Write(5, null), removal.onRead(entry("before", 5)));
    assertEquals(new End(Ending.HANDED_OVER, 0), removal.onWritten(9));
    HandOver insert = of(0, side);
    assertEquals(new Write(0, side), insert.onRead(null));
  }

  @Test
  void write_ofAnEntryWithoutACopy_isTakenIfTheEntryIsFromBefore() {
    DetachedEntry side = entry("side", 101);
    assertEquals(new Write(0, side), of(KeptWrite.unknown(0), side).onRead(null));
    DetachedEntry other = entry("other", 5);
    assertEquals(new Merge(other, side), of(KeptWrite.unknown(0), side).onRead(other));
    assertEquals(new Merge(other, side), of(KeptWrite.unknown(4), side).onRead(other));
    assertEquals(new Write(5, side), of(KeptWrite.unknown(5), side).onRead(other));
    assertEquals(new Write(5, null), of(KeptWrite.unknown(5), null).onRead(other));
  }

  @Test
  void write_thatIsThereAnyway_needsNothing() {
    DetachedEntry side = entry("same", 101);
    assertEquals(new End(Ending.SAME, 8), of(5, side).onRead(entry("same", 8)));
    assertEquals(new End(Ending.SAME, 0), of(5, null).onRead(null));
    assertEquals(new End(Ending.SAME, 0), of(0, null).onRead(null));
  }

  @Test
  void write_ofAnEntryWhoseTimeIsOver_isARemoval() {
    DetachedEntry mortal = new DetachedEntry(101, 0, 10, 0, -1, 0, null, RealCluster.bytes("v"));
    HandOver way = new HandOver(new KeptWrite(KEY, 5, mortal, 101, 1, null), 10);
    assertEquals(new Write(5, null), way.onRead(entry("before", 5)));
  }

  @Test
  void conflict_isDecidedByThePolicy() {
    DetachedEntry side = entry("side", 101);
    DetachedEntry now = entry("now", 8);
    HandOver won = of(5, side);
    assertEquals(new Merge(now, side), won.onRead(now));
    assertEquals(new Write(8, side), won.onMerged(side));
    assertEquals(new End(Ending.CONFLICT_WON, 9), won.onWritten(9));
    HandOver lost = of(5, side);
    assertEquals(new Merge(null, side), lost.onRead(null));
    assertEquals(new End(Ending.CONFLICT_LOST, 0), lost.onMerged(null));
    HandOver removed = of(5, side);
    assertEquals(new Merge(now, side), removed.onRead(now));
    assertEquals(new Write(8, null), removed.onMerged(null));
    assertEquals(new End(Ending.CONFLICT_MERGED, 0), removed.onWritten(9));
  }

  @Test
  void write_whenSomebodyWroteMeanwhile_isDecidedAgain() {
    DetachedEntry side = entry("side", 101);
    HandOver way = of(5, side);
    assertEquals(new Write(5, side), way.onRead(entry("before", 5)));
    assertEquals(READ, way.onOther());
    DetachedEntry now = entry("now", 6);
    assertEquals(new Merge(now, side), way.onRead(now));
  }

  @Test
  void writeWithoutAnswer_isDoneIfTheEntryIsWhatItWrote() {
    DetachedEntry side = entry("side", 101);
    HandOver way = of(5, side);
    assertEquals(new Write(5, side), way.onRead(entry("before", 5)));
    assertEquals(READ, way.onUnknown());
    assertEquals(new End(Ending.HANDED_OVER, 6), way.onRead(entry("side", 6)));
  }

  @Test
  void writeWithoutAnswer_isTriedAgainIfTheEntryIsTheSame() {
    DetachedEntry side = entry("side", 101);
    HandOver way = of(5, side);
    assertEquals(new Write(5, side), way.onRead(entry("before", 5)));
    assertEquals(READ, way.onUnknown());
    assertEquals(new Write(5, side), way.onRead(entry("before", 5)));
    assertEquals(new End(Ending.HANDED_OVER, 6), way.onWritten(6));
  }

  @Test
  void writeWithoutAnswer_losesToWhateverCameThen() {
    DetachedEntry side = entry("side", 101);
    HandOver way = of(5, side);
    assertEquals(new Write(5, side), way.onRead(entry("before", 5)));
    assertEquals(READ, way.onUnknown());
    assertEquals(new End(Ending.ANSWER_LOST, 7), way.onRead(entry("later", 7)));
    HandOver removed = of(5, side);
    assertEquals(new Write(5, side), removed.onRead(entry("before", 5)));
    assertEquals(READ, removed.onUnknown());
    assertEquals(new End(Ending.ANSWER_LOST, 0), removed.onRead(null));
  }

  @Test
  void write_afterAnEarlierOneReachedTheCluster_followsThat() {
    DetachedEntry second = entry("second", 102);
    KeptWrite.Ours first = new KeptWrite.Ours(5, entry("first", 101));
    HandOver way = new HandOver(new KeptWrite(KEY, 5, second, 102, 2, first), 0);
    assertEquals(new Write(8, second), way.onRead(entry("first", 8)));
    HandOver notYet = new HandOver(new KeptWrite(KEY, 5, second, 102, 2, first), 0);
    assertEquals(new Write(5, second), notYet.onRead(entry("before", 5)));
  }

  @Test
  void write_ofANodeThatIsGone_isTakenIfItHadNotBegun() {
    DetachedEntry side = entry("side", 101);
    long base = KeptWrite.unknown(7);
    KeptWrite.Ours perhaps = new KeptWrite.Ours(base, side);
    KeptWrite taken = new KeptWrite(KEY, base, side, 101, 2, perhaps);
    assertEquals(new Write(6, side), new HandOver(taken, 0).onRead(entry("before", 6)));
    assertEquals(new End(Ending.HANDED_OVER, 8), new HandOver(taken, 0).onRead(entry("side", 8)));
    assertEquals(new End(Ending.ANSWER_LOST, 8), new HandOver(taken, 0).onRead(entry("later", 8)));
  }

  @Test
  void policies_doAsTheyAreCalled() {
    BinaryKey key = KEY.toBinary();
    DetachedEntry clusters = entry("clusters", 5);
    DetachedEntry sides = entry("sides", 101);
    EntryMerge none = requireNonNull(EntryMerge.of(MergePolicy.NONE));
    EntryMerge always = requireNonNull(EntryMerge.of(MergePolicy.PREFERRED_ALWAYS));
    EntryMerge nonNull = requireNonNull(EntryMerge.of(MergePolicy.PREFERRED_NON_NULL));
    EntryMerge remove = requireNonNull(EntryMerge.of(MergePolicy.REMOVE_ALL));
    assertEquals(clusters, none.merge("c", key, clusters, sides));
    assertEquals(null, always.merge("c", key, null, sides));
    assertEquals(sides, nonNull.merge("c", key, null, sides));
    assertEquals(clusters, nonNull.merge("c", key, clusters, null));
    assertEquals(null, remove.merge("c", key, clusters, sides));
    assertEquals(null, EntryMerge.of(MergePolicy.of("x.Y")));
  }

  /** A cluster of one entry that several nodes write, where answers get lost. */
  private static final class Entry {
    private @Nullable DetachedEntry now;
    private long sequence = 5;

    boolean tryWrite(long seen, @Nullable DetachedEntry value) {
      if ((now == null ? 0 : now.sequence()) != seen) {
        return false;
      }
      now = value == null ? null : value.withSequence(++sequence);
      return true;
    }
  }

  @Test
  void handOver_whateverHappens_neverReplacesWhatFollowsIt() {
    for (int seed = 0; seed < 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Entry entry = new Entry();
      entry.now = entry("before", 5);
      HandOver way = of(5, entry("side", 101));
      Step step = way.begin();
      boolean isRead = false;
      boolean isFollowed = false;
      for (int i = 0; !(step instanceof End); i++) {
        assertTrue(i < 1000, "endless: seed=" + seed);
        DetachedEntry now = entry.now;
        isRead |= now != null && HandOver.isSame(now, entry("side", 0));
        if (isRead && !isFollowed && random.nextInt(4) == 0) {
          // somebody has seen the side's write, and writes what follows from it
          isFollowed = entry.tryWrite(requireNonNull(entry.now).sequence(), entry("later", 0));
        }
        step =
            switch (step) {
              case Read _ -> way.onRead(entry.now);
              case Merge merge -> way.onMerged(merge.sides());
              case Write write -> tried(random, entry, way, write);
              case End end -> end;
            };
      }
      String expected = isFollowed ? "later" : "side";
      assertEquals(RealCluster.bytes(expected), requireNonNull(entry.now).value(), "seed=" + seed);
    }
  }

  private static Step tried(SplittableRandom random, Entry entry, HandOver way, Write write) {
    if (random.nextInt(3) == 0) {
      return way.onUnknown(); // never arrived
    }
    boolean isDone = entry.tryWrite(write.seen(), write.value());
    boolean isAnswered = random.nextBoolean();
    if (!isAnswered) {
      return way.onUnknown();
    }
    return isDone ? way.onWritten(entry.sequence) : way.onOther();
  }
}
