package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;

/** Properties of decoders for arbitrary bytes. */
public final class CodecCheck {
  /** A node in a set of nodes takes 16 bytes on the wire and some ten times that in memory. */
  private static final int ALLOCATED_PER_BYTE_MAX = 40;

  private static final int ALLOCATED_ALWAYS_MAX = 16 << 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private CodecCheck() {}

  /** Decodes, or not; and whatever else comes out is a failure. */
  public static void decodeAnything(MessageCodec codec, byte[] bytes) {
    long max = ALLOCATED_ALWAYS_MAX + (long) ALLOCATED_PER_BYTE_MAX * bytes.length;
    // The first time, classes may be loaded.
    long allocated = allocated(codec, bytes) <= max ? 0 : allocated(codec, bytes);
    assertTrue(allocated <= max, () -> "allocated=" + allocated + ", bytes=" + bytes.length);
  }

  private static long allocated(MessageCodec codec, byte[] bytes) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      Message message = codec.decode(bytes, 0, bytes.length);
      assertTrue(message.epoch() >= 0);
    } catch (MalformedMessageException e) {
      assertTrue(String.valueOf(e.getMessage()).startsWith("malformed message: "), e::toString);
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  /** Some bytes of a message are others, missing, or too many. */
  public static byte[] mutate(byte[] bytes, Random random) {
    byte[] mutated = bytes.clone();
    switch (random.nextInt(3)) {
      case 0 -> mutated = Arrays.copyOf(mutated, random.nextInt(mutated.length));
      case 1 -> mutated = Arrays.copyOf(mutated, mutated.length + 1 + random.nextInt(20));
      default -> {
        // Changed below.
      }
    }
    for (int i = random.nextInt(4); i > 0 && mutated.length > 0; i--) {
      byte changed = (byte) (random.nextBoolean() ? 0xFF : random.nextInt());
      mutated[random.nextInt(mutated.length)] = changed;
    }
    return mutated;
  }
}
