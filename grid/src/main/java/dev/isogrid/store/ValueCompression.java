package dev.isogrid.store;

import com.github.luben.zstd.ZstdException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the values of one container smaller, with dictionaries that are trained from them.
 * Thread-safe.
 */
final class ValueCompression {
  /*
   * Where. A segment asks for the stored form of a value when it writes an entry, and windows and
   * readers expand it when its bytes are asked for. Nobody else knows: what leaves the container
   * (replies, copies for other nodes, records of stores, events) is as it was written.
   *
   * Training. The first values are collected until there are SAMPLE_BYTES, and a thread of its own
   * makes a dictionary of them. Values that are written before that stay as they are. Of the later
   * ones every LOOK_PERIODth is looked at. If they shrink much less than at first, another sample
   * is taken, and if its dictionary is better, new values get that one. The others stay for the
   * entries that name them; a container has DICTIONARIES_MAX at most in its life.
   *
   * Limits. Smaller values have no room for what a frame takes by itself. Larger ones would hold
   * the lock of their segment for too long, and are handed out from where they lie instead.
   *
   * Concurrency. Dictionaries are added only; an entry that names one is written after that. The
   * lock guards the sample and the counts, and a writer that finds it taken does without.
   *
   * Costs. 1.4 to 7 us per write and 0.3 to 1.4 us per read for values of 100 to 1,000 B.
   */

  /** Values below are kept as they are. */
  static final int VALUE_BYTES_MIN = 48;

  /** Values above are kept as they are. */
  static final int VALUE_BYTES_MAX = 16 << 10;

  /** What is collected for a dictionary; of four times as much values shrink by 1 % more. */
  static final int SAMPLE_BYTES = 256 << 10;

  /** In the life of a container; the number has a byte, which is read with its sign. */
  static final int DICTIONARIES_MAX = 16;

  /** The number of the dictionary, and the longest varint of a length. */
  private static final int PREFIX_MAX = 1 + 3;

  /** A value must lose this part to be kept compressed. */
  private static final int SAVED_FRACTION = 8;

  /** Every so manieth value of a context is looked at. */
  private static final int LOOK_PERIOD = 64;

  /** So many looks are one judgement: of 262,144 values. */
  private static final int LOOKS = 4096;

  /** How much larger the compressed values must have become for another dictionary. */
  private static final double WORSE = 1.25;

  /** A dictionary is used if it makes the sample so much smaller than the one before. */
  private static final double BETTER = 0.9;

  private static final Logger log = System.getLogger(ValueCompression.class.getName());

  private final Compressors compressors;
  private final int looksMax;

  /** By their numbers. Written by the training thread. */
  private volatile ValueDictionary[] dictionaries = {};

  /** Written with the lock. */
  private volatile boolean isCollecting = true;

  private final ReentrantLock lock = new ReentrantLock();

  /** The values that were collected. Guarded by the lock, as all below. */
  private List<byte[]> sample = new ArrayList<>();

  private long sampleBytes;
  private boolean isTraining;
  private int trainings;
  private int looks;
  private long seenBytes;
  private long keptBytes;

  /** What was left of values when the last training was over; 0 if that is not known yet. */
  private double usualShare;

  /** Begins without dictionaries. */
  ValueCompression(Compressors compressors) {
    this(compressors, LOOKS);
  }

  /**
   * Begins without dictionaries.
   *
   * @param looksMax how many values are looked at for one judgement of a dictionary
   */
  ValueCompression(Compressors compressors, int looksMax) {
    this.compressors = compressors;
    this.looksMax = looksMax;
  }

  /** The memory of the dictionaries, about. */
  long dictionaryBytes() {
    return dictionaries.length * ValueDictionary.bytes();
  }

  private @Nullable ValueDictionary newest() {
    ValueDictionary[] known = dictionaries;
    return known.length == 0 ? null : known[known.length - 1];
  }

  /**
   * The form in which a segment keeps a value.
   *
   * @param value the value; or the form that it has already, if the entry is touched only
   * @param touched the entry that is touched, or null
   * @param header gets whether that is compressed
   */
  Bytes stored(Bytes value, @Nullable BinaryView touched, EntryLayout.Header header) {
    if (touched != null) {
      header.isCompressed = touched.isCompressed();
      return value;
    }
    int length = value.length();
    if (length < VALUE_BYTES_MIN || length > VALUE_BYTES_MAX) {
      return value;
    }
    ZstdContext context = compressors.take();
    try {
      byte[] plain = context.plain(length);
      value.copyTo(plain, 0);
      if (isCollecting) {
        collect(plain, length);
      }
      byte[] compressed = compressed(context, plain, length);
      if (context.countUse(LOOK_PERIOD)) {
        look(length, compressed == null ? length : compressed.length);
      }
      header.isCompressed = compressed != null;
      return compressed == null ? value : Bytes.of(compressed);
    } finally {
      compressors.giveBack(context);
    }
  }

  private byte @Nullable [] compressed(ZstdContext context, byte[] plain, int length) {
    ValueDictionary dictionary = newest();
    if (dictionary == null) {
      return null;
    }
    int size = compress(context, dictionary, plain, length);
    return size > length - length / SAVED_FRACTION
        ? null
        : Arrays.copyOf(context.packed(size), size);
  }

  /** Makes the stored form in the context's array; gives its length. */
  private static int compress(
      ZstdContext context, ValueDictionary dictionary, byte[] plain, int length) {
    byte[] target = context.packed(PREFIX_MAX + frameMax(length));
    target[0] = (byte) dictionary.number;
    int at = EntryLayout.putVarint(target, 1, length);
    return at + context.compress(dictionary, plain, length, target, at);
  }

  /** The longest frame of so many bytes, as the library defines it for less than 128 kB. */
  private static int frameMax(int length) {
    return length + (length >>> 8) + 64;
  }

  /** The length that a value had before it was stored as a part of an array. */
  static int lengthBefore(byte[] array, int offset) {
    return (int) EntryLayout.varint(array, offset + 1);
  }

  /** The same of a part of memory. */
  static int lengthBefore(MemorySegment memory, long at) {
    int first = memory.get(Native.BYTE, at + 1);
    return first >= 0 ? first : Native.restOfVarint(memory, at + 2, first);
  }

  /** Expands a stored form to the beginning of an array, which is long enough. */
  void expand(byte[] array, int offset, int size, byte[] target) {
    ZstdContext context = compressors.take();
    try {
      expand(context, array, offset, size, target);
    } finally {
      compressors.giveBack(context);
    }
  }

  /** The same for a stored form in memory. */
  void expand(MemorySegment memory, long at, int size, byte[] target) {
    ZstdContext context = compressors.take();
    try {
      expand(context, context.copyOf(memory, at, size), 0, size, target);
    } finally {
      compressors.giveBack(context);
    }
  }

  private void expand(ZstdContext context, byte[] array, int offset, int size, byte[] target) {
    int length = lengthBefore(array, offset);
    int frame = EntryLayout.afterVarint(array, offset + 1);
    ValueDictionary dictionary = dictionaries[array[offset]];
    int expanded = context.expand(dictionary, array, frame, offset + size - frame, target);
    if (expanded != length) {
      throw new IllegalStateException(
          "value of another length: dictionary=%d, length=%d, expected=%d"
              .formatted(dictionary.number, expanded, length));
    }
  }

  /** What a reader makes of the value that is stored in a part of an array. */
  Object read(byte[] array, int offset, int size, ValueReader<?> reader) {
    ZstdContext context = compressors.take();
    try {
      int length = lengthBefore(array, offset);
      byte[] plain = context.plain(length);
      expand(context, array, offset, size, plain);
      return reader.read(plain, 0, length);
    } finally {
      compressors.giveBack(context);
    }
  }

  /** Adds a value to the sample, unless another thread is at it. */
  private void collect(byte[] plain, int length) {
    if (!lock.tryLock()) {
      return;
    }
    try {
      if (!isCollecting) {
        return;
      }
      sample.add(Arrays.copyOf(plain, length));
      sampleBytes += length;
      if (sampleBytes >= SAMPLE_BYTES) {
        List<byte[]> full = sample;
        isCollecting = false;
        sample = new ArrayList<>();
        sampleBytes = 0;
        trainings++;
        beginTraining(full);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Lets another thread train; without one, as on a node that closes, values stay as they are. */
  private void beginTraining(List<byte[]> values) {
    try {
      isTraining = true;
      compressors.train(() -> train(values));
    } catch (RejectedExecutionException closing) {
      isTraining = false;
      log.log(Level.DEBUG, "no dictionary for values of a cache: no thread to train it", closing);
    }
  }

  /** Judges the present dictionary by what it makes of values. */
  private void look(int length, int kept) {
    if (!lock.tryLock()) {
      return;
    }
    try {
      seenBytes += length;
      keptBytes += kept;
      if (++looks < looksMax) {
        return;
      }
      double share = (double) keptBytes / seenBytes;
      forgetLooks();
      boolean isWorse = usualShare > 0 && share > usualShare * WORSE;
      isCollecting |= (newest() == null || isWorse) && !isTraining && trainings < DICTIONARIES_MAX;
      usualShare = usualShare == 0 ? share : usualShare;
    } finally {
      lock.unlock();
    }
  }

  private void forgetLooks() {
    looks = 0;
    seenBytes = 0;
    keptBytes = 0;
  }

  private void train(List<byte[]> values) {
    ValueDictionary before = newest();
    try {
      ValueDictionary trained = ValueDictionary.train(dictionaries.length, values);
      if (share(trained, values) < BETTER * (before == null ? 1 : share(before, values))) {
        use(trained);
      }
    } catch (ZstdException alike) {
      log.log(Level.DEBUG, "no dictionary for values of a cache", alike);
    } finally {
      endTraining();
    }
  }

  private void endTraining() {
    lock.lock();
    try {
      forgetLooks();
      usualShare = 0;
      isTraining = false;
    } finally {
      lock.unlock();
    }
  }

  /** Gives new values a dictionary. For the training thread, and tests. */
  void use(ValueDictionary next) {
    ValueDictionary[] more = Arrays.copyOf(dictionaries, next.number + 1);
    more[next.number] = next;
    dictionaries = more;
  }

  /** What a dictionary leaves of values, as a part of them. */
  private double share(ValueDictionary dictionary, List<byte[]> values) {
    ZstdContext context = compressors.take();
    try {
      long seen = 0;
      long kept = 0;
      for (byte[] value : values) {
        seen += value.length;
        kept += Math.min(value.length, compress(context, dictionary, value, value.length));
      }
      return (double) kept / seen;
    } finally {
      compressors.giveBack(context);
    }
  }
}
