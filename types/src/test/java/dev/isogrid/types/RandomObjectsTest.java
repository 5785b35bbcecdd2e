package dev.isogrid.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Random objects come back equal, and equal ones have equal bytes; replay with -Dseed=. */
@NullUnmarked // records with and without values
@SuppressWarnings("all") // what users may do is tested here
class RandomObjectsTest {
  private static final int OBJECTS = 5_000;
  private static final int DEPTH = 4;

  sealed interface Part permits Leaf, Branch, TimeUnits {}

  record Leaf(int number, Long boxed, String text, UUID id, boolean flag, char letter)
      implements Part {}

  record Branch(
      String name,
      Part left,
      List<Part> parts,
      Set<Integer> numbers,
      Map<String, Double> amounts,
      Map<UUID, Leaf> byId,
      Optional<Branch> next,
      List<Object> anything,
      TimeUnit unit,
      Instant at,
      BigDecimal price,
      LocalDate day)
      implements Part {}

  enum TimeUnits implements Part {
    SHORT,
    LONG
  }

  private final Random random;
  private final long seed = Long.getLong("seed", System.nanoTime());
  private final ObjectMarshaller marshaller = new ObjectMarshaller();

  RandomObjectsTest() {
    random = new Random(seed);
  }

  private <T> T orNull(T value) {
    return random.nextInt(5) == 0 ? null : value;
  }

  private String text() {
    int length = random.nextInt(10) == 0 ? random.nextInt(400) : random.nextInt(12);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(
          random.nextInt(8) == 0 ? random.nextInt(0xD000) : 'a' + random.nextInt(26));
    }
    return text.toString();
  }

  private UUID id() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private Leaf leaf() {
    return new Leaf(
        random.nextInt(),
        orNull(random.nextLong()),
        orNull(text()),
        orNull(id()),
        random.nextBoolean(),
        (char) random.nextInt(65536));
  }

  private Part part(int depth) {
    return switch (random.nextInt(depth > 0 ? 4 : 2)) {
      case 0 -> leaf();
      case 1 -> TimeUnits.values()[random.nextInt(2)];
      default -> branch(depth - 1);
    };
  }

  private Branch branch(int depth) {
    List<Part> parts = new ArrayList<>();
    Set<Integer> numbers = new HashSet<>();
    Map<String, Double> amounts = new LinkedHashMap<>();
    Map<UUID, Leaf> byId = new HashMap<>();
    List<Object> anything = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      parts.add(part(depth));
      numbers.add(random.nextInt(1000) - 500);
      amounts.put(text(), random.nextGaussian());
      byId.put(id(), leaf());
      anything.add(orNull(any(depth)));
    }
    return new Branch(
        orNull(text()),
        orNull(part(depth)),
        orNull(parts),
        orNull(numbers),
        orNull(amounts),
        orNull(byId),
        orNull(depth > 0 ? Optional.of(branch(depth - 1)) : Optional.empty()),
        orNull(anything),
        orNull(TimeUnit.values()[random.nextInt(7)]),
        orNull(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000))),
        orNull(new BigDecimal(new BigInteger(80, random), random.nextInt(20) - 10)),
        orNull(LocalDate.ofEpochDay(random.nextInt())));
  }

  private Object any(int depth) {
    return switch (random.nextInt(depth > 0 ? 14 : 10)) {
      case 0 -> text();
      case 1 -> random.nextInt();
      case 2 -> random.nextLong();
      case 3 -> random.nextDouble();
      case 4 -> id();
      case 5 -> Duration.ofNanos(random.nextLong());
      case 6 -> leaf();
      case 7 -> OffsetDateTime.ofInstant(Instant.ofEpochSecond(random.nextInt()), ZoneOffset.UTC);
      case 8 -> random.nextBoolean();
      case 9 -> TimeUnits.LONG;
      case 10 -> branch(depth - 1);
      case 11 -> new ArrayList<>(List.of(any(depth - 1), any(depth - 1)));
      case 12 -> Map.of(text(), any(depth - 1));
      default -> Set.of(any(depth - 1));
    };
  }

  @Test
  void randomObjects_comeBackEqual_withEqualBytes() {
    for (int i = 0; i < OBJECTS; i++) {
      Object object = any(DEPTH);
      byte[] bytes = marshaller.toBytes(object);
      Object back = marshaller.fromBytes(bytes);
      assertEquals(object, back, "seed=" + seed);
      assertArrayEquals(bytes, marshaller.toBytes(back), "seed=" + seed + ", object=" + object);
    }
  }
}
