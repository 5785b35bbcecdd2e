package dev.isogrid.structure;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file that persistent counters are kept in. For one thread at a time; methods block.
 *
 * <p>What {@link #append} was given outlives the process when it returns; a loss of power, when
 * {@link #force} has returned as well.
 */
final class CounterLog implements AutoCloseable {
  /*
   * The file is MAGIC and then records, of which the latest of a name counts:
   *
   *   body length 4, CRC-32C of the body 4, body:
   *   name length 2, name in UTF-8, and if the counter is there its state as in CounterBucket
   *
   * Numbers have their high bytes first. Records are only appended, so a process that is killed
   * leaves at most its last ones incomplete, which were not acknowledged: reading ends there. When
   * most of the file is out of date, it is written anew under another name, and renamed.
   */
  private static final byte[] MAGIC = "isogrid counters 1\n".getBytes(StandardCharsets.US_ASCII);

  private static final int HEAD_BYTES = 2 * Integer.BYTES;
  private static final int BODY_BYTES_MAX = Short.BYTES + 0xFFFF + CounterBucket.STATE_BYTES;

  /** A file that is not longer than that is never written anew, however little of it counts. */
  private static final long SMALL_BYTES = 1 << 18;

  /** The file is written anew when it has so many times the bytes that count. */
  private static final int OUTDATED_FACTOR = 4;

  private static final System.Logger log = System.getLogger(CounterLog.class.getName());

  private final Path file;

  /** What is in the file, or is to be as soon as the disk takes it. */
  private final Map<String, CounterState> counters;

  /** The bytes of a file that has nothing but these. */
  private long liveBytes;

  private FileChannel channel;

  /** Where the last whole record ends. */
  private long end;

  private volatile boolean isForced = true;

  private CounterLog(Path file, Map<String, CounterState> counters) throws IOException {
    this.file = file;
    this.counters = counters;
    this.liveBytes = MAGIC.length + size(counters);
    this.channel = rewritten();
  }

  /**
   * Opens a file, or makes it.
   *
   * @throws InvalidRequestException if it can't be read or written; the message names it
   */
  static CounterLog open(Path file) {
    try {
      return new CounterLog(file, readAll(file));
    } catch (IOException failure) {
      throw new InvalidRequestException(
          "kept counters can't be read: file=%s, reason=%s; mend or delete it"
              .formatted(file, failure),
          failure);
    }
  }

  /** What is kept, by the counters' names; as it is until the next {@link #append}. */
  Map<String, CounterState> counters() {
    return Collections.unmodifiableMap(counters);
  }

  /** Whether {@link #force} has nothing to do. For any thread. */
  boolean isForced() {
    return isForced;
  }

  private static Map<String, CounterState> readAll(Path file) throws IOException {
    Map<String, CounterState> counters = new TreeMap<>();
    ByteBuffer in;
    try {
      in = ByteBuffer.wrap(Files.readAllBytes(file));
    } catch (NoSuchFileException _) {
      return counters;
    }
    byte[] magic = new byte[Math.min(MAGIC.length, in.remaining())];
    in.get(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new IOException("not a file of counters");
    }
    while (readRecord(in, counters)) {
      // until the end
    }
    if (in.hasRemaining()) {
      log.log(
          Level.WARNING,
          "the end of a file of counters was not completely written: file=%s, offset=%d, bytes=%d"
              .formatted(file, in.position(), in.remaining()));
    }
    return counters;
  }

  /** Reads a record if there is a whole one. */
  private static boolean readRecord(ByteBuffer in, Map<String, CounterState> counters)
      throws IOException {
    if (in.remaining() < HEAD_BYTES) {
      return false;
    }
    int length = in.getInt(in.position());
    if (length < 0 || length > Math.min(BODY_BYTES_MAX, in.remaining() - HEAD_BYTES)) {
      return false;
    }
    ByteBuffer body = in.slice(in.position() + HEAD_BYTES, length);
    if (checksum(body.duplicate()) != in.getInt(in.position() + Integer.BYTES)) {
      return false;
    }
    in.position(in.position() + HEAD_BYTES + length);
    try {
      byte[] name = new byte[Short.toUnsignedInt(body.getShort())];
      body.get(name);
      String text = new String(name, StandardCharsets.UTF_8);
      if (body.hasRemaining()) {
        counters.put(text, CounterBucket.counter(body));
      } else {
        counters.remove(text);
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException malformed) {
      throw new IOException("malformed record before offset " + in.position(), malformed);
    }
    return true;
  }

  private static int checksum(ByteBuffer body) {
    CRC32C checksum = new CRC32C();
    checksum.update(body);
    return (int) checksum.getValue();
  }

  /** Writes everything anew; returns the channel to go on with. */
  private FileChannel rewritten() throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    FileChannel next =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    try {
      ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(liveBytes));
      out.put(MAGIC);
      counters.forEach((name, state) -> putRecord(out, name, state));
      long length = writeAt(next, out.flip(), 0);
      next.force(true);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      end = length;
      isForced = true;
      return next;
    } catch (IOException failure) {
      next.close();
      throw failure;
    }
  }

  private static long writeAt(FileChannel target, ByteBuffer bytes, long from) throws IOException {
    long at = from;
    while (bytes.hasRemaining()) {
      at += target.write(bytes, at);
    }
    return at;
  }

  private static long size(Map<String, ? extends @Nullable CounterState> counters) {
    long size = 0;
    for (Map.Entry<String, ? extends @Nullable CounterState> counter : counters.entrySet()) {
      size += recordBytes(counter.getKey(), counter.getValue());
    }
    return size;
  }

  private static int recordBytes(String name, @Nullable CounterState state) {
    int nameBytes = name.getBytes(StandardCharsets.UTF_8).length;
    return HEAD_BYTES + Short.BYTES + nameBytes + (state == null ? 0 : CounterBucket.STATE_BYTES);
  }

  private static void putRecord(ByteBuffer out, String name, @Nullable CounterState state) {
    int start = out.position();
    out.position(start + HEAD_BYTES);
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    out.putShort((short) utf8.length).put(utf8);
    if (state != null) {
      CounterBucket.put(out, state);
    }
    int length = out.position() - start - HEAD_BYTES;
    out.putInt(start, length);
    out.putInt(start + Integer.BYTES, checksum(out.slice(start + HEAD_BYTES, length)));
  }

  /**
   * Adds what changed.
   *
   * @param changes by the counters' names; null where there is no counter any more
   * @throws FatalGridException if the disk refuses it; what was there before stays
   */
  void append(Map<String, @Nullable CounterState> changes) {
    if (changes.isEmpty()) {
      return;
    }
    changes.forEach(this::set);
    try {
      int bytes = Math.toIntExact(size(changes));
      if (end + bytes > Math.max(SMALL_BYTES, OUTDATED_FACTOR * liveBytes)) {
        FileChannel former = channel;
        channel = rewritten();
        former.close();
        return;
      }
      ByteBuffer out = ByteBuffer.allocate(bytes);
      changes.forEach((name, state) -> putRecord(out, name, state));
      isForced = false;
      end = writeAt(channel, out.flip(), end); // what fails halfway is written over
    } catch (IOException failure) {
      throw notKept(failure);
    }
  }

  private void set(String name, @Nullable CounterState state) {
    CounterState before = state == null ? counters.remove(name) : counters.put(name, state);
    liveBytes -= before == null ? 0 : recordBytes(name, before);
    liveBytes += state == null ? 0 : recordBytes(name, state);
  }

  /**
   * Makes what was appended outlive a loss of power.
   *
   * @throws FatalGridException if the disk refuses it
   */
  void force() {
    if (isForced) {
      return;
    }
    try {
      channel.force(true);
      isForced = true;
    } catch (IOException failure) {
      throw notKept(failure);
    }
  }

  private FatalGridException notKept(IOException failure) {
    return new FatalGridException(
        "counter changed, but can't be kept: file=%s, reason=%s; look at the disk"
            .formatted(file, failure),
        failure);
  }

  /** Ends the use of the file. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw notKept(failure);
    }
  }
}
