package dev.isogrid.mapreduce;

import dev.isogrid.mapreduce.Control.Round;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pairs that a node's attempts sent to others, for sending them again after a failure of a
 * receiver: in memory up to a limit, then in a file without a name. Thread-safe.
 */
final class SentPairs implements AutoCloseable {
  private static final System.Logger log = System.getLogger(SentPairs.class.getName());

  private final long memoryMaxBytes;

  /** Whether the pairs that a round sends to a partition are kept. */
  private final BiPredicate<Round, Integer> isKept;

  private final ReentrantLock lock = new ReentrantLock();

  /** The fields below are guarded by the lock. */
  private final Map<Long, Sent> attempts = new HashMap<>();

  private long memoryBytes;
  private @Nullable FileChannel file;
  private long fileBytes;
  private boolean isClosed;

  /**
   * A part that was sent.
   *
   * @param message with its {@link DataHead}, or null if it is in the file
   */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  private record Part(int partition, byte @Nullable [] message, long position, int length) {}

  /** The sent pairs of an attempt. */
  private static final class Sent {
    final Round round;
    final List<Part> parts = new ArrayList<>();

    /** Whether a part is missing, because there was no room for it. */
    boolean isTorn;

    Sent(Round round) {
      this.round = round;
    }
  }

  /** Receives a part that its owner sends again. */
  interface Target {
    /** The pairs are a part of an array, from an offset to its end. */
    void accept(int partition, byte[] array, int from) throws InterruptedException;
  }

  SentPairs(long memoryMaxBytes, BiPredicate<Round, Integer> isKept) {
    this.memoryMaxBytes = memoryMaxBytes;
    this.isKept = isKept;
  }

  /** Begins an attempt, which may have nothing to send. A second time has no effect. */
  void begin(Round round, long attempt) {
    lock.lock();
    try {
      if (!isClosed) {
        attempts.computeIfAbsent(attempt, _ -> new Sent(round));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Keeps a part of an attempt that has begun. The array must not change. */
  void add(long attempt, int partition, byte[] message) {
    lock.lock();
    try {
      Sent sent = attempts.get(attempt);
      if (sent == null) {
        return; // dropped, or all is over
      }
      if (memoryBytes + message.length <= memoryMaxBytes) {
        memoryBytes += message.length;
        sent.parts.add(new Part(partition, message, 0, message.length));
      } else {
        write(sent, partition, message);
      }
    } finally {
      lock.unlock();
    }
  }

  private void write(Sent sent, int partition, byte[] message) {
    try {
      if (file == null) {
        file = Run.OnDisk.open();
      }
      ByteBuffer bytes = ByteBuffer.wrap(message);
      while (bytes.hasRemaining()) {
        file.write(bytes, fileBytes + bytes.position());
      }
      sent.parts.add(new Part(partition, null, fileBytes, message.length));
      fileBytes += message.length;
    } catch (IOException noRoom) {
      if (!sent.isTorn) {
        log.log(
            Level.WARNING,
            "no place for a copy of pairs that were sent, so if the node that has them fails, their"
                + " segments are mapped again: {0}",
            noRoom.toString());
      }
      sent.isTorn = true;
    }
  }

  /** Drops attempts. */
  void drop(long[] dropped) {
    lock.lock();
    try {
      for (long attempt : dropped) {
        Sent sent = attempts.remove(attempt);
        if (sent != null) {
          memoryBytes -= sent.parts.stream().mapToLong(SentPairs::memoryBytes).sum();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private static long memoryBytes(Part part) {
    return part.message == null ? 0 : part.length;
  }

  /** Whether all pairs of an attempt for the partitions of a round are kept. */
  boolean has(long attempt, Round ofRound) {
    lock.lock();
    try {
      Sent sent = attempts.get(attempt);
      if (sent == null || sent.isTorn) {
        return false;
      }
      for (int partition = 0; partition < ofRound.partitionNodes().length; partition++) {
        if (ofRound.partitionNodes()[partition] >= 0 && !isKept.test(sent.round, partition)) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Passes on the pairs of an attempt for the partitions of a round. */
  void forEach(long attempt, Round ofRound, Target target) throws InterruptedException {
    for (Part part : parts(attempt)) {
      if (ofRound.partitionNodes()[part.partition] >= 0) {
        byte[] message = part.message == null ? read(part) : part.message;
        target.accept(part.partition, message, DataHead.BYTES);
      }
    }
  }

  /** Whether a condition holds for all messages of an attempt for the partitions of a round. */
  boolean all(long attempt, Round ofRound, Predicate<byte[]> test) {
    return parts(attempt).stream()
        .filter(part -> ofRound.partitionNodes()[part.partition] >= 0)
        .allMatch(part -> test.test(part.message == null ? read(part) : part.message));
  }

  private List<Part> parts(long attempt) {
    lock.lock();
    try {
      Sent sent = attempts.get(attempt);
      if (sent == null) {
        throw new StoppedException(); // it was there, so all is over
      }
      return List.copyOf(sent.parts);
    } finally {
      lock.unlock();
    }
  }

  private byte[] read(Part part) {
    FileChannel source;
    lock.lock();
    try {
      source = file;
    } finally {
      lock.unlock();
    }
    if (source == null) {
      throw new StoppedException();
    }
    byte[] message = new byte[part.length];
    ByteBuffer target = ByteBuffer.wrap(message);
    try {
      while (target.hasRemaining()) {
        if (source.read(target, part.position + target.position()) < 0) {
          throw new IOException("file of pairs is too short");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("pairs can't be read back from disk", e);
    }
    return message;
  }

  /** Frees everything. Calling it twice is harmless. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      attempts.clear();
      memoryBytes = 0;
      if (file != null) {
        file.close();
        file = null;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("file of pairs can't be closed", e);
    } finally {
      lock.unlock();
    }
  }
}
