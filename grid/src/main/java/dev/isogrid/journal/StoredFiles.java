package dev.isogrid.journal;

import dev.isogrid.store.Segment;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The files of a journal that no cache uses, for operators. {@link #export} keeps all keys in
 * memory, the other methods nothing. For one thread; methods block.
 */
public final class StoredFiles {
  /** Records are written when there are so many bytes of them. */
  private static final int BATCH_BYTES = 1 << 20;

  /** More damaged copies than anyone keeps. */
  private static final int DAMAGED_FOLDERS_MAX = 1000;

  /** Stands for the scope of a file whose header can't be read. */
  private static final JournalScope NO_SCOPE = new JournalScope("", "", 1);

  private final Path folder;

  /**
   * Names the folder.
   *
   * @throws IOException if it is none
   */
  public StoredFiles(Path folder) throws IOException {
    this.folder = folder.toAbsolutePath();
    if (!Files.isDirectory(folder) && !Files.isDirectory(StoreFolder.repaired(this.folder))) {
      throw new IOException("no such folder: folder=" + folder);
    }
  }

  /**
   * The records of a journal.
   *
   * @param cache the name of the cache
   * @param puts records of entries that were stored
   * @param removals records of entries that were removed, and of segments that were cleared
   */
  public record Checked(String cache, long puts, long removals) {}

  /**
   * Reads all records.
   *
   * @throws DamagedJournalException if one is not as it was written
   * @throws IOException if there is no journal
   */
  public Checked check() throws IOException {
    long[] counts = new long[2];
    JournalScope scope =
        replay(
            new Replay() {
              @Override
              public void put(JournalRecord record) {
                counts[0]++;
              }

              @Override
              public void remove(JournalRecord record) {
                counts[1]++;
              }

              @Override
              public void clear(JournalRecord record) {
                counts[1]++;
              }
            });
    return new Checked(scope.cache(), counts[0], counts[1]);
  }

  private JournalScope replay(Replay replay) throws IOException {
    try (Disk disk = FolderDisk.readOnly(folder)) {
      JournalScope scope = scope(disk);
      Recovery.open(disk, scope, new UUID(0, 0), true).replay(replay);
      return scope;
    }
  }

  private JournalScope scope(Disk disk) throws IOException {
    JournalScope scope = Recovery.scopeOf(disk);
    if (scope == null) {
      throw new IOException("no journal: folder=" + folder);
    }
    return scope;
  }

  /** Where the last record of an entry is. */
  private record Last(int segment, long file, long offset) {}

  /** Finds the last records of all entries. */
  private static final class LastRecords implements Replay {
    private final Map<ByteBuffer, Last> byKey = new HashMap<>();

    @Override
    public void put(JournalRecord record) {
      byKey.put(ByteBuffer.wrap(record.key()), placeOf(record));
    }

    private static Last placeOf(JournalRecord record) {
      return new Last(record.segment(), record.file(), record.offset());
    }

    @Override
    public void remove(JournalRecord record) {
      byKey.remove(ByteBuffer.wrap(record.key()));
    }

    @Override
    public void clear(JournalRecord record) {
      int segment = record.segment();
      byKey.values().removeIf(last -> last.segment() == segment);
    }

    boolean has(JournalRecord record) {
      return placeOf(record).equals(byKey.get(ByteBuffer.wrap(record.key())));
    }

    int count() {
      return byKey.size();
    }
  }

  /**
   * Writes all entries, one JSON object per line; keys and values are Base64 of their bytes. Reads
   * the files twice, so that values need not be kept.
   *
   * @return how many
   * @throws DamagedJournalException if a record is not as it was written
   * @throws IOException if there is no journal, it changes meanwhile, or the output fails
   */
  public long export(PrintStream out) throws IOException {
    LastRecords last = new LastRecords();
    JournalScope _ = replay(last);
    long[] written = {0};
    JournalScope _ =
        replay(
            new Replay() {
              @Override
              public void put(JournalRecord record) {
                if (last.has(record)) {
                  out.println(json(record));
                  written[0]++;
                }
              }

              @Override
              public void remove(JournalRecord record) {}

              @Override
              public void clear(JournalRecord record) {}
            });
    out.flush();
    if (out.checkError()) {
      throw new IOException("entries can't be written: folder=" + folder);
    }
    if (written[0] != last.count()) {
      throw new IOException(
          "files changed during the export: folder=%s, exported=%d of %d; stop the server first"
              .formatted(folder, written[0], last.count()));
    }
    return written[0];
  }

  private static String json(JournalRecord record) {
    Base64.Encoder base64 = Base64.getEncoder();
    EntryAttributes attributes = record.attributes();
    String times =
        attributes.isMortal()
            ? ",\"created\":%d,\"lifespan\":%d,\"max-idle\":%d"
                .formatted(
                    attributes.createdMillis(),
                    attributes.lifespanMillis(),
                    attributes.maxIdleMillis())
            : "";
    int bits = attributes.clientFlags();
    String flags = bits == 0 ? "" : ",\"client-flags\":" + Integer.toUnsignedString(bits);
    String mediaType = attributes.mediaType();
    String type =
        mediaType == null
            ? ""
            : ",\"media-type\":\"%s\"".formatted(mediaType.replaceAll("[^ !#-\\[\\]-~]", "?"));
    return "{\"key\":\"%s\",\"value\":\"%s\",\"version\":%d%s%s%s}"
        .formatted(
            base64.encodeToString(record.key()),
            base64.encodeToString(record.value()),
            record.version(),
            times,
            flags,
            type);
  }

  /**
   * The result of a repair.
   *
   * @param records those that could be read, and are in the folder now
   * @param lostBytes bytes that were no record
   * @param damaged the folder with the files as they were
   */
  public record Repaired(long records, long lostBytes, Path damaged) {}

  /**
   * Writes all records that can be read anew, in their order, and sets the damaged files aside. An
   * entry whose last record is lost has the value of the record before, if there is one. A cluster
   * uses the segments of the store only if no other node has them. A repair that was interrupted
   * when all was written anew is ended.
   */
  public Repaired repair() throws IOException {
    Path repaired = StoreFolder.repaired(folder);
    if (Files.notExists(folder)) {
      return end(repaired);
    }
    if (Files.exists(repaired)) {
      throw new IOException(
          "folder is in the way: folder=%s; delete it if no repair runs".formatted(repaired));
    }
    Copied copied;
    try (Disk from = FolderDisk.open(folder);
        Disk to = FolderDisk.open(repaired)) {
      copied = copy(from, to);
    }
    Path damaged = aside();
    Files.move(folder, damaged, StandardCopyOption.ATOMIC_MOVE);
    FolderDisk.forceParent(folder);
    Files.move(repaired, folder, StandardCopyOption.ATOMIC_MOVE);
    FolderDisk.forceParent(folder);
    return new Repaired(copied.records, copied.lostBytes, damaged);
  }

  /** Ends a repair that set the damaged files aside already. */
  private Repaired end(Path repaired) throws IOException {
    Files.move(repaired, folder, StandardCopyOption.ATOMIC_MOVE);
    FolderDisk.forceParent(folder);
    Checked checked = check();
    Path last = folder;
    for (int i = 1; i <= DAMAGED_FOLDERS_MAX && Files.exists(damaged(i)); i++) {
      last = damaged(i);
    }
    return new Repaired(checked.puts() + checked.removals(), 0, last);
  }

  private Path damaged(int number) {
    return folder.resolveSibling(folder.getFileName() + "@damaged-" + number);
  }

  private Path aside() throws IOException {
    for (int i = 1; i <= DAMAGED_FOLDERS_MAX; i++) {
      Path aside = damaged(i);
      if (!Files.exists(aside)) {
        return aside;
      }
    }
    throw new IOException("too many damaged folders beside it, delete some: folder=" + folder);
  }

  private static Copied copy(Disk from, Disk to) throws IOException {
    List<FileHeader> headers = readableHeaders(from);
    FileHeader last = headers.getLast();
    long oldest = headers.stream().mapToLong(FileHeader::oldest).max().orElse(0);
    Copied copied = new Copied(last.scope().segments(), last.epoch());
    LogWriter writer =
        new LogWriter(
            to,
            last.scope(),
            UUID.randomUUID(),
            last.epoch(),
            JournalSettings.FILE_BYTES,
            new ArrayDeque<>(),
            0,
            last.floor(),
            false);
    try (writer) {
      writer.begin();
      for (FileHeader header : headers) {
        if (header.number() >= oldest) {
          copy(from, header, writer, copied);
        }
      }
      copied.lowerPlaces(writer);
    }
    return copied;
  }

  private static List<FileHeader> readableHeaders(Disk disk) throws IOException {
    List<String> names = new ArrayList<>(disk.names());
    Collections.sort(names);
    List<FileHeader> headers = new ArrayList<>();
    for (String name : names) {
      long number = JournalLayout.fileNumber(name);
      if (number > 0) {
        try (DiskFile file = disk.open(name)) {
          headers.add(FileHeader.read(disk, file, number));
        } catch (DamagedJournalException _) {
          headers.add(new FileHeader(0, number, 0, 0, new UUID(0, 0), NO_SCOPE));
        }
      }
    }
    return withScopes(headers, disk);
  }

  /** Gives files without a readable header that of another file. */
  private static List<FileHeader> withScopes(List<FileHeader> headers, Disk disk)
      throws IOException {
    FileHeader known = null;
    for (FileHeader header : headers) {
      known = header.scope().equals(NO_SCOPE) ? known : header;
    }
    if (known == null) {
      throw new IOException("no file of a journal with a readable header: folder=" + disk.path(""));
    }
    List<FileHeader> complete = new ArrayList<>();
    for (FileHeader header : headers) {
      complete.add(
          header.scope().equals(NO_SCOPE)
              ? new FileHeader(
                  known.epoch(), header.number(), 0, known.floor(), known.identity(), known.scope())
              : header);
    }
    return complete;
  }

  private static void copy(Disk from, FileHeader header, LogWriter writer, Copied copied)
      throws IOException {
    JournalRecord record = new JournalRecord();
    try (DiskFile file = from.open(JournalLayout.fileName(header.number()))) {
      LogReader reader = new LogReader(file, header, file.size());
      while (true) {
        long begun = reader.offset();
        if (reader.next(record)) {
          copied.add(record, writer);
        } else {
          boolean isMore = reader.skipToCandidate();
          long end = isMore ? reader.offset() : LogReader.contentEnd(file, begun);
          copied.lostBytes += end - begun;
          if (!isMore) {
            return;
          }
        }
      }
    }
  }

  /** What was written anew. */
  private static final class Copied {
    /*
     * A repaired store has less than its last record says: entries may be missing, or be older. So
     * it says of each segment that it lacks something, and then a place below all that it had. A
     * cluster prefers each other copy then. Two repaired stores have different places, so that they
     * are compared. The place is not so low that the cluster would give versions again: it goes on
     * further up than places are lowered.
     */
    /** A healthy store that lost power lacks fewer writes of a segment. */
    private static final long LOWERED_MIN = 1 << 20;

    /** Less than what a cluster that comes back adds to the place of a segment. */
    private static final long LOWERED_MAX = 1 << 23;

    private final RandomGenerator random = new SecureRandom();
    private final int epoch;
    private final long[] sequences;
    private final long[] versions;
    private long records;
    private long lostBytes;

    Copied(int segments, int epoch) {
      this.epoch = epoch;
      this.sequences = new long[segments];
      this.versions = new long[segments];
    }

    void add(JournalRecord record, LogWriter writer) throws IOException {
      int segment = record.segment();
      if (segment == JournalLayout.NO_SEGMENT) {
        return;
      }
      byte[] copy = record.toBytes();
      versions[segment] = Math.max(versions[segment], JournalLayout.version(copy, 0));
      add(segment, copy, writer);
      records++;
    }

    private void add(int segment, byte[] record, LogWriter writer) throws IOException {
      JournalLayout.complete(record, ++sequences[segment]);
      writer.add(record);
      if (writer.unforcedBytes() >= BATCH_BYTES) {
        writer.write();
        writer.force();
      }
    }

    void lowerPlaces(LogWriter writer) throws IOException {
      for (int segment = 0; segment < versions.length; segment++) {
        long place = lowered(versions[segment] & Segment.SEQUENCE_MAX);
        long version = epoch * (Segment.SEQUENCE_MAX + 1) + place;
        add(segment, JournalLayout.newPlace(segment, 0), writer);
        add(segment, JournalLayout.newPlace(segment, version), writer);
      }
    }

    private long lowered(long place) {
      return place > 2 * LOWERED_MAX
          ? place - random.nextLong(LOWERED_MIN, LOWERED_MAX)
          : random.nextLong(place / 2 + 1);
    }
  }
}
