package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.JavaObjects;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.mapreduce.Control.Again;
import dev.isogrid.mapreduce.Control.Alive;
import dev.isogrid.mapreduce.Control.Answer;
import dev.isogrid.mapreduce.Control.Attempt;
import dev.isogrid.mapreduce.Control.Close;
import dev.isogrid.mapreduce.Control.Open;
import dev.isogrid.mapreduce.Control.Part;
import dev.isogrid.mapreduce.Control.Round;
import dev.isogrid.mapreduce.Control.Step;
import dev.isogrid.mapreduce.Control.TaskKey;
import dev.isogrid.mapreduce.Control.Work;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@link Control} messages and answers as bytes. A task needs dozens of them, so Java serialises
 * only the user's functions and exceptions. Stateless.
 *
 * <pre>
 *   message: kind 1   task 16   number of the node 4   content
 *     1 open: object of a {@link TaskSpec}
 *     2 step: round, segments, count of attempts 4, attempts to be sent again, counting, dropped,
 *             lost
 *     3 part: number of the round 4   partition 4   index 4   counting
 *     4 alive, 5 close: nothing
 *   round:  number 4   partitions' nodes, nodes
 *   answer: count of attempts 4, attempts, not served, unreachable, failure's object, stats
 *   attempt: round 4   number 8   origin 8   is done 1   segments
 *   attempt to be sent again: number 8   segments
 *   several numbers, an object: their count or its length 4, then themselves; big-endian
 * </pre>
 */
final class ControlCodec {
  private static final int OPEN = 1;
  private static final int STEP = 2;
  private static final int PART = 3;
  private static final int ALIVE = 4;
  private static final int CLOSE = 5;

  private static final int CAPACITY = 512;

  private ControlCodec() {}

  /**
   * The bytes of a message.
   *
   * @throws IOException if a function can't be serialised
   */
  static ByteString toBytes(Control message) throws IOException {
    PairBytes bytes = new PairBytes(CAPACITY);
    DataOutputStream out = new DataOutputStream(bytes);
    switch (message) {
      case Open open -> {
        writeHead(OPEN, open.key(), out);
        writeObject(open.spec(), out);
      }
      case Step step -> {
        writeHead(STEP, step.key(), out);
        writeStep(step, out);
      }
      case Part part -> {
        writeHead(PART, part.key(), out);
        out.writeInt(part.round());
        out.writeInt(part.partition());
        out.writeInt(part.index());
        writeLongs(part.counting(), out);
      }
      case Alive alive -> writeHead(ALIVE, alive.key(), out);
      case Close close -> writeHead(CLOSE, close.key(), out);
    }
    return ByteString.of(bytes.copy());
  }

  /**
   * The message in some bytes.
   *
   * @throws ClassNotFoundException if a class of the user is not on this node
   */
  static Control message(ByteString bytes, ObjectReader objects)
      throws IOException, ClassNotFoundException {
    DataInputStream in = input(bytes);
    int kind = in.readUnsignedByte();
    TaskKey key = new TaskKey(new UUID(in.readLong(), in.readLong()), in.readInt());
    return switch (kind) {
      case OPEN -> new Open(key, (TaskSpec) Objects.requireNonNull(readObject(in, objects)));
      case STEP ->
          new Step(key, readRound(in), readWork(in), readLongs(in), readLongs(in), readInts(in));
      case PART -> new Part(key, in.readInt(), in.readInt(), in.readInt(), readLongs(in));
      case ALIVE -> new Alive(key);
      case CLOSE -> new Close(key);
      default -> throw new IOException("message of a map/reduce unknown: kind=" + kind);
    };
  }

  private static DataInputStream input(ByteString bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
  }

  private static void writeHead(int kind, TaskKey key, DataOutputStream out) throws IOException {
    out.writeByte(kind);
    out.writeLong(key.task().getMostSignificantBits());
    out.writeLong(key.task().getLeastSignificantBits());
    out.writeInt(key.number());
  }

  private static void writeStep(Step step, DataOutputStream out) throws IOException {
    out.writeInt(step.round().number());
    writeInts(step.round().partitionNodes(), out);
    writeLongs(step.round().nodes(), out);
    writeInts(step.work().segments(), out);
    out.writeInt(step.work().again().size());
    for (Again again : step.work().again()) {
      out.writeLong(again.attempt());
      writeInts(again.segments(), out);
    }
    writeLongs(step.counting(), out);
    writeLongs(step.dropped(), out);
    writeInts(step.lost(), out);
  }

  private static Work readWork(DataInputStream in) throws IOException {
    int[] segments = readInts(in);
    List<Again> again = new ArrayList<>();
    for (int count = count(in, Long.BYTES + Integer.BYTES); count > 0; count--) {
      again.add(new Again(in.readLong(), readInts(in)));
    }
    return new Work(segments, again);
  }

  private static Round readRound(DataInputStream in) throws IOException {
    return new Round(in.readInt(), readInts(in), readLongs(in));
  }

  /**
   * The bytes of an answer.
   *
   * @throws IOException if the failure can't be serialised
   */
  static ByteString toBytes(Answer answer) throws IOException {
    PairBytes bytes = new PairBytes(CAPACITY);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(answer.attempts().size());
    for (Attempt attempt : answer.attempts()) {
      out.writeInt(attempt.round());
      out.writeLong(attempt.number());
      out.writeLong(attempt.origin());
      out.writeBoolean(attempt.isDone());
      writeInts(attempt.segments(), out);
    }
    writeInts(answer.notServed(), out);
    writeInts(answer.unreachable(), out);
    writeObject(answer.failure(), out);
    writeStats(answer.stats(), out);
    return ByteString.of(bytes.copy());
  }

  /**
   * The answer in some bytes.
   *
   * @throws ClassNotFoundException if a failure's class is not on this node
   */
  static Answer answer(ByteString bytes, ObjectReader objects)
      throws IOException, ClassNotFoundException {
    DataInputStream in = input(bytes);
    List<Attempt> attempts = new ArrayList<>();
    for (int count = in.readInt(); count > 0; count--) {
      int round = in.readInt();
      long number = in.readLong();
      long origin = in.readLong();
      boolean isDone = in.readBoolean();
      attempts.add(new Attempt(round, number, origin, readInts(in), isDone));
    }
    int[] notServed = readInts(in);
    int[] unreachable = readInts(in);
    Throwable failure = (Throwable) readObject(in, objects);
    return new Answer(attempts, notServed, unreachable, failure, readStats(in));
  }

  private static void writeStats(MapReduceNodeStats stats, DataOutputStream out)
      throws IOException {
    out.writeUTF(stats.node());
    out.writeLong(stats.entries());
    out.writeLong(stats.inputBytes());
    out.writeLong(stats.pairsEmitted());
    out.writeLong(stats.pairsSent());
    out.writeLong(stats.bytesSent());
    out.writeLong(stats.bytesSpilled());
    out.writeLong(stats.distinctKeys());
    out.writeLong(stats.mapNanos());
    out.writeLong(stats.sendWaitNanos());
    out.writeLong(stats.mergeNanos());
    out.writeInt(stats.workers());
    out.writeInt(stats.collectorKeysMax());
    out.writeUTF(stats.tuning());
    writeLongs(stats.workerNanos().stream().mapToLong(Long::longValue).toArray(), out);
    out.writeInt(stats.partitions());
    out.writeLong(stats.bytesReceived());
    out.writeLong(stats.partitionBytesMax());
  }

  private static MapReduceNodeStats readStats(DataInputStream in) throws IOException {
    return new MapReduceNodeStats(
        in.readUTF(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readInt(),
        in.readInt(),
        in.readUTF(),
        Arrays.stream(readLongs(in)).boxed().toList(),
        in.readInt(),
        in.readLong(),
        in.readLong());
  }

  private static void writeObject(@Nullable Object object, DataOutputStream out)
      throws IOException {
    byte[] bytes = object == null ? new byte[0] : JavaObjects.toBytes(object).toByteArray();
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static @Nullable Object readObject(DataInputStream in, ObjectReader objects)
      throws IOException, ClassNotFoundException {
    byte[] bytes = new byte[count(in, 1)];
    in.readFully(bytes);
    return bytes.length == 0 ? null : objects.read(bytes, 0, bytes.length);
  }

  private static void writeInts(int[] numbers, DataOutputStream out) throws IOException {
    out.writeInt(numbers.length);
    for (int number : numbers) {
      out.writeInt(number);
    }
  }

  private static int[] readInts(DataInputStream in) throws IOException {
    int[] numbers = new int[count(in, Integer.BYTES)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = in.readInt();
    }
    return numbers;
  }

  private static void writeLongs(long[] numbers, DataOutputStream out) throws IOException {
    out.writeInt(numbers.length);
    for (long number : numbers) {
      out.writeLong(number);
    }
  }

  private static long[] readLongs(DataInputStream in) throws IOException {
    long[] numbers = new long[count(in, Long.BYTES)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = in.readLong();
    }
    return numbers;
  }

  private static int count(DataInputStream in, int bytesEach) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > in.available() / bytesEach) {
      throw new IOException("message of a map/reduce is cut off: count=" + count);
    }
    return count;
  }
}
