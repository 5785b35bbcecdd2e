package dev.isogrid.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Bytes that nobody wrote give an error that says so, and nothing worse. */
@NullUnmarked // records with and without values
@SuppressWarnings("all") // what users may do is tested here
class HostileBytesTest {
  private static final int MUTATIONS = 50_000;
  private static final List<String> loaded = new ArrayList<>();

  enum Color {
    RED,
    GREEN
  }

  record Tree(
      String name,
      int number,
      double real,
      Color color,
      UUID id,
      LocalDate day,
      List<Tree> children,
      Map<String, Tree> named,
      Map<Color, Integer> counts,
      Optional<Tree> only,
      Set<String> words,
      long[] longs,
      Object any) {}

  record Strict(int positive) {
    Strict {
      if (positive <= 0) {
        throw new IllegalStateException("not positive");
      }
    }
  }

  /** A class that must not be made from bytes. */
  public static class Gadget {
    static {
      loaded.add("Gadget");
    }
  }

  private final ObjectMarshaller marshaller = new ObjectMarshaller();

  private List<byte[]> samples() {
    Tree leaf =
        new Tree(
            "leaf",
            -1,
            1.5,
            Color.GREEN,
            new UUID(1, 2),
            LocalDate.EPOCH,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    Tree tree =
        new Tree(
            "tree",
            300,
            Double.NaN,
            Color.RED,
            new UUID(3, 4),
            LocalDate.MAX,
            List.of(leaf, leaf),
            Map.of("a", leaf),
            Map.of(Color.RED, 5),
            Optional.of(leaf),
            Set.of("x", "y"),
            new long[] {1, -1},
            new ArrayList<>(List.of(leaf, 1, "s", new TreeSet<>(Set.of(1)))));
    List<byte[]> samples = new ArrayList<>();
    for (Object object :
        List.of(
            tree,
            new Strict(1),
            Color.RED,
            new TreeMap<>(Map.of("k", List.of(tree))),
            new BigDecimal("1.5"),
            OffsetDateTime.MAX,
            List.of(List.of(List.of(new int[] {1, 2}))),
            new String[] {"a"},
            Optional.of("x"),
            "text",
            1L)) {
      samples.add(marshaller.toBytes(object));
    }
    return samples;
  }

  @Test
  void mutatedBytes_giveObjectsOrInvalidRequests() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    List<byte[]> samples = samples();
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] bytes = mutate(samples.get(random.nextInt(samples.size())).clone(), random);
      try {
        marshaller.fromBytes(bytes);
      } catch (InvalidRequestException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed=%d, bytes=%s".formatted(seed, Arrays.toString(bytes)), e);
      }
    }
    assertTrue(refused > MUTATIONS / 10, "seed=" + seed + ", refused=" + refused);
  }

  private static byte[] mutate(byte[] bytes, Random random) {
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(bytes.length);
      bytes[at] =
          switch (random.nextInt(4)) {
            case 0 -> (byte) random.nextInt();
            case 1 -> (byte) (bytes[at] ^ 1 << random.nextInt(8));
            case 2 -> (byte) -1;
            default -> bytes[random.nextInt(bytes.length)];
          };
    }
    return random.nextInt(5) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
  }

  private static byte[] wrapped(String type, byte[] message) {
    MessageWriter out = new MessageWriter(100);
    out.tag(WrappedTags.TYPE_NAME);
    out.text(type);
    out.tag(WrappedTags.MESSAGE);
    out.bytes(message);
    return out.toBytes();
  }

  private InvalidRequestException refused(byte[] bytes) {
    return assertThrows(InvalidRequestException.class, () -> marshaller.fromBytes(bytes));
  }

  @Test
  void otherClasses_areNeitherInitializedNorMade() {
    for (String name :
        List.of(
            "dev.isogrid.types.HostileBytesTest.Gadget",
            "dev.isogrid.types.HostileBytesTest$Gadget",
            "java.lang.Object",
            "java.util.ArrayList",
            "java.lang.Runnable",
            "org.infinispan.protostream.WrappedMessage",
            "no.such.Type",
            "",
            ".",
            "a..b",
            "[I",
            "x".repeat(100_000),
            "a.".repeat(200) + "b")) {
      InvalidRequestException e = refused(wrapped(name, new byte[0]));
      assertTrue(e.getMessage().contains("type"), e.getMessage());
    }
    assertEquals(List.of(), loaded);
  }

  @Test
  void manyNamesOfNoClass_leaveLoadersAlone() {
    List<String> asked = new ArrayList<>();
    ClassLoader loader =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            asked.add(name);
            throw new ClassNotFoundException(name);
          }
        };
    ObjectMarshaller other = new ObjectMarshaller(loader);
    for (int i = 0; i < ClassNames.MISSES_MAX / 2; i++) {
      byte[] bytes = wrapped("no.such.Type" + i, new byte[0]);
      assertThrows(InvalidRequestException.class, () -> other.fromBytes(bytes));
    }
    assertTrue(asked.size() < ClassNames.MISSES_MAX + 10, "asked=" + asked.size());
    assertEquals(new Strict(1), other.fromBytes(marshaller.toBytes(new Strict(1))));
  }

  @Test
  void constructorThatRefuses_isNamed() {
    byte[] negative = {
      8, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) -1,
      (byte) -1, 1
    };
    InvalidRequestException e =
        refused(wrapped("dev.isogrid.types.HostileBytesTest.Strict", negative));
    assertTrue(e.getMessage().contains("Strict"), e.getMessage());
    assertTrue(e.getMessage().contains("not positive"), e.getMessage());
  }

  @Test
  void deepNesting_isRefused() {
    String name = "dev.isogrid.types.HostileBytesTest.Tree";
    marshaller.fromBytes(wrapped(name, new byte[0]));
    byte[] message = new byte[0];
    for (int i = 0; i < 5000; i++) { // children, field 7
      MessageWriter out = new MessageWriter(message.length + 10);
      out.tag(7 << 3 | MessageWriter.DELIMITED);
      out.bytes(message);
      message = out.toBytes();
    }
    assertTrue(refused(wrapped(name, message)).getMessage().contains("nested too deeply"));
  }

  @Test
  void deepCollections_areRefused() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] list = marshaller.toBytes(new ArrayList<>(List.of(1)));
    byte[] head = Arrays.copyOf(list, list.length - 2); // its element takes two bytes
    for (int i = 0; i < 50_000; i++) {
      all.writeBytes(head);
    }
    assertTrue(refused(all.toByteArray()).getMessage().contains("nested too deeply"));
  }

  @Test
  void hugeSizes_areRefusedBeforeMemoryIsTaken() {
    MessageWriter out = new MessageWriter(100);
    out.tag(WrappedTags.CONTAINER_NAME);
    out.bytes("org.infinispan.protostream.commons.ArrayList".getBytes(StandardCharsets.US_ASCII));
    out.tag(WrappedTags.SIZE);
    out.varint(Integer.MAX_VALUE);
    out.tag(WrappedTags.CONTAINER_MESSAGE);
    out.tag(0);
    assertTrue(refused(out.toBytes()).getMessage().contains("size=2147483647"));
    MessageWriter text = new MessageWriter(100);
    text.tag(WrappedTags.STRING);
    text.varint(Integer.MAX_VALUE);
    assertTrue(refused(text.toBytes()).getMessage().contains("length=2147483647"));
  }

  @Test
  void fieldsThatNobodyKnows_areSkipped() {
    MessageWriter message = new MessageWriter(100);
    message.varint(3000 << 3);
    message.varint(5);
    message.varint(4000 << 3 | MessageWriter.DELIMITED);
    message.text("unknown");
    message.varint(5000 << 3 | MessageWriter.BITS_64);
    message.fixed64(1);
    message.varint(6000 << 3 | MessageWriter.BITS_32);
    message.fixed32(1);
    message.tag(1 << 3);
    message.varint(77);
    assertEquals(
        new Strict(77),
        marshaller.fromBytes(
            wrapped("dev.isogrid.types.HostileBytesTest.Strict", message.toBytes())));
  }
}
