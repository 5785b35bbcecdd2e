package dev.isogrid.engine;

import dev.isogrid.api.GridException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.EntryCommand.ReadEntry;
import dev.isogrid.engine.LocalEngine.Patience;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Operations on many keys of a clustered cache: here at once, elsewhere under way together. */
final class ReplicatedBulk implements Bulk<BinaryKey, Bytes> {
  private final ReplicatedEngine engine;
  private final BulkCalls calls;
  private final EntryView<BinaryKey, Bytes> view;

  private final SegmentPuts<BinaryKey, Bytes> puts = new SegmentPuts<>();

  /** What other writes came between; there is nothing under way when these are run. */
  private final List<Runnable> again = new ArrayList<>();

  ReplicatedBulk(ReplicatedEngine engine, BulkCalls calls) {
    this.engine = engine;
    this.calls = calls;
    this.view = engine.newView();
  }

  @Override
  public void write(BinaryKey key, int hash, KeyWrite<BinaryKey, Bytes> write) {
    engine.checkOpen();
    if (write.previousReader() != null) {
      throw new IllegalArgumentException("a write of many can't read what was there");
    }
    int index = engine.container.segmentOf(hash);
    if (!puts.tryAdd(key, hash, index, write)) {
      put();
      writeOne(key, hash, index, write);
    }
  }

  private void writeOne(BinaryKey key, int hash, int index, KeyWrite<BinaryKey, Bytes> write) {
    boolean isDone =
        !calls.hasFailed()
            && tryHere(
                index,
                1,
                () -> engine.writeHere(key, hash, write, Patience.LOCKS) != LocalEngine.NOT_HERE);
    if (!isDone) {
      WriteEntry command = engine.command(key, write);
      boolean isRemoval = write.isRemoval();
      calls.add(command, index, result -> engine.take(isRemoval, (WriteResult) result));
    }
  }

  private boolean tryHere(int index, int operations, BooleanSupplier tryWrite) {
    if (!engine.isHere(index)) {
      return false;
    }
    try {
      boolean isWritten = tryWrite.getAsBoolean();
      if (isWritten) {
        calls.wroteHere(operations);
      }
      return isWritten;
    } catch (GridException failure) {
      calls.failedHere(index, operations, failure);
      return true;
    }
  }

  private void put() {
    puts.flush((index, together) -> {
      SegmentPuts.Put<BinaryKey, Bytes> first = together.getFirst();
      if (together.size() == 1) {
        writeOne(first.key(), first.hash(), index, first.write());
      } else if (calls.hasFailed()
          || !tryHere(index, together.size(), () -> engine.tryPutTogether(index, together))) {
        List<WriteEntry> writes =
            together.stream().map(put -> engine.command(put.key(), put.write())).toList();
        calls.add(
            new WriteEntries(new CacheScope(engine.id()), writes),
            index,
            result -> engine.takeStored(writes.size(), (WriteResult) result));
      }
    });
  }

  @Override
  public void read(BinaryKey key, int hash, EntryReader<BinaryKey, Bytes> reader) {
    engine.checkOpen();
    put();
    int index = engine.container.segmentOf(hash);
    if (engine.isFar(hash, true)) {
      EntryKey entryKey = new EntryKey(engine.id(), key.toByteArray());
      calls.add(
          new ReadEntry(entryKey),
          index,
          entry -> show(key, (DetachedEntry) engine.taken(entry), reader));
      return;
    }
    @Nullable DetachedEntry[] taken = new DetachedEntry[1];
    boolean found = engine.peek(key, hash, view, entry -> taken[0] = DetachedEntry.of(entry));
    calls.doneHere(1);
    show(key, found ? taken[0] : null, reader);
  }

  private void show(
      BinaryKey key, @Nullable DetachedEntry entry, EntryReader<BinaryKey, Bytes> reader) {
    engine.countRead(entry != null);
    if (entry != null) {
      entry.show(key, engine.versionEpoch(), view);
      try {
        reader.read(view);
      } finally {
        DetachedEntry.showNone(view);
      }
    }
  }

  @Override
  public void process(
      BinaryKey key,
      int hash,
      ByteString processor,
      Mutation<BinaryKey, Bytes> near,
      Consumer<@Nullable ByteString> taking) {
    engine.checkOpen();
    put();
    int index = engine.container.segmentOf(hash);
    Runnable alone = () -> taking.accept(engine.process(key, hash, processor, near));
    if (!calls.hasFailed() && engine.isPrimary(index)) {
      alone.run();
      calls.wroteHere(1);
      return;
    }
    EntryKey entryKey = new EntryKey(engine.id(), key.toByteArray());
    calls.add(
        new ProcessEntry(entryKey, processor, null),
        index,
        result -> {
          ByteString answer = engine.processed(result);
          if (answer == null) {
            again.add(alone);
          } else {
            taking.accept(answer);
          }
        });
  }

  @Override
  public void await() {
    put();
    calls.await();
    engine.awaitKept();
    again.forEach(Runnable::run);
    again.clear();
  }
}
