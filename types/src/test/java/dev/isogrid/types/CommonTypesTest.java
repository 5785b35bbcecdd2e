package dev.isogrid.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.config.Configuration;
import org.infinispan.protostream.types.java.CommonContainerTypesSchema;
import org.infinispan.protostream.types.java.CommonTypesSchema;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Values by themselves, and their bytes beside those of ProtoStream. */
@NullUnmarked // records with and without values
@SuppressWarnings("all") // what users may do is tested here
class CommonTypesTest {
  private static final List<Object> SCALARS =
      List.of(
          "",
          "text",
          "grüße \uD83D\uDE00 \uD800",
          "x".repeat(127),
          "x".repeat(128),
          "ü".repeat(64),
          "x".repeat(70_000),
          0,
          -1,
          Integer.MIN_VALUE,
          Integer.MAX_VALUE,
          0L,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          (short) -3,
          (byte) -4,
          'x',
          '\uffff',
          true,
          false,
          1.5,
          Double.NaN,
          -0.0,
          2.5f,
          Float.NEGATIVE_INFINITY,
          new byte[0],
          new byte[] {1, 2, 3});

  private static final List<Object> COMMON =
      List.of(
          new UUID(-1, 2),
          new BigInteger("-123456789012345678901234567890"),
          new BigDecimal("-1.50"),
          new BigDecimal("1E+400"),
          Instant.parse("2026-01-02T03:04:05.000000006Z"),
          Instant.parse("1815-01-02T03:04:05.999999999Z"),
          new Date(-77),
          LocalDate.of(-1, 12, 31),
          LocalTime.of(23, 59, 59, 999_999_999),
          LocalDateTime.of(2026, 1, 2, 3, 4, 5, 6),
          ZonedDateTime.of(2026, 10, 25, 2, 30, 0, 0, ZoneId.of("Europe/Berlin")),
          OffsetTime.of(1, 2, 3, 4, ZoneOffset.ofHours(-5)),
          Period.of(1, -2, 3),
          Year.of(-44),
          MonthDay.of(2, 29),
          Month.MAY,
          ZoneId.of("Europe/Berlin"),
          ZoneOffset.ofHoursMinutes(5, 30),
          BitSet.valueOf(new long[] {5, 7}),
          new ArrayList<>(List.of(1, "two", 3L)),
          new LinkedList<>(List.of("a", "b")),
          new HashSet<>(List.of("x")),
          new LinkedHashSet<>(List.of("z", "a")),
          new TreeSet<>(List.of("b", "a")),
          new ArrayList<>(),
          new int[] {1, -2},
          new long[] {Long.MIN_VALUE},
          new short[] {-1},
          new boolean[] {true, false},
          new double[] {1.5},
          new float[] {-1.5f},
          new String[] {"a", "b"},
          new Integer[] {1, 2},
          new Boolean[] {true},
          new Double[] {1.0},
          new Object[] {"a", 1});

  private final ObjectMarshaller marshaller = new ObjectMarshaller();

  private static SerializationContext protoStream(boolean wrapsElements) {
    SerializationContext context =
        ProtobufUtil.newSerializationContext(
            Configuration.builder().wrapCollectionElements(wrapsElements).build());
    for (var schema : List.of(new CommonTypesSchema(), new CommonContainerTypesSchema())) {
      schema.registerSchema(context);
      schema.registerMarshallers(context);
    }
    return context;
  }

  private static void checkEqual(Object expected, Object actual) {
    assertEquals(expected.getClass(), actual.getClass());
    if (expected.getClass().isArray()) {
      assertEquals(Array.getLength(expected), Array.getLength(actual));
      for (int i = 0; i < Array.getLength(expected); i++) {
        assertEquals(Array.get(expected, i), Array.get(actual, i));
      }
    } else {
      assertEquals(expected, actual);
    }
  }

  @Test
  void scalars_haveProtoStreamsBytes() throws IOException {
    SerializationContext context = protoStream(false);
    for (Object scalar : SCALARS) {
      byte[] theirs = ProtobufUtil.toWrappedByteArray(context, scalar);
      assertArrayEquals(theirs, marshaller.toBytes(scalar), scalar.getClass().getName());
      if (!scalar.toString().contains("\uD800 ") && !scalar.toString().endsWith("\uD800")) {
        checkEqual(scalar, marshaller.fromBytes(theirs));
      }
    }
  }

  @Test
  void commonTypes_haveProtoStreamsBytes() throws IOException {
    SerializationContext context = protoStream(false);
    for (Object value : COMMON) {
      byte[] theirs = ProtobufUtil.toWrappedByteArray(context, value);
      assertArrayEquals(theirs, marshaller.toBytes(value), value.getClass().getName());
      checkEqual(value, marshaller.fromBytes(theirs));
    }
  }

  @Test
  void collectionsOfMessages_areReadByProtoStreamThatWrapsElements() throws IOException {
    SerializationContext context = protoStream(true);
    for (Object list :
        List.of(
            new ArrayList<>(List.of(new UUID(1, 2), "a", new UUID(3, 4))),
            new ArrayList<>(Arrays.asList(null, Instant.EPOCH, 5)),
            new ArrayList<>(List.of(new ArrayList<>(List.of(1)), new ArrayList<>())))) {
      byte[] ours = marshaller.toBytes(list);
      assertArrayEquals(ProtobufUtil.toWrappedByteArray(context, list), ours);
      assertEquals(list, ProtobufUtil.fromWrappedByteArray(context, ours));
      assertEquals(list, marshaller.fromBytes(ours));
    }
  }

  @Test
  void collectionsOfMessages_ofProtoStreamThatDoesNotWrap_areRead() throws IOException {
    SerializationContext context = protoStream(false);
    for (Object list :
        List.of(
            new ArrayList<>(List.of(new UUID(1, 2), "a", new UUID(3, 4))),
            new ArrayList<>(List.of(Instant.EPOCH, Instant.ofEpochSecond(7, 8), 5)),
            new ArrayList<>(List.of(Month.MAY, Month.JUNE)),
            new ArrayList<>(List.of(new ArrayList<>(List.of(1)), new ArrayList<>())))) {
      assertEquals(list, marshaller.fromBytes(ProtobufUtil.toWrappedByteArray(context, list)));
    }
  }

  @Test
  void ownTypes_comeBack() {
    for (Object value :
        List.of(
            Duration.ofSeconds(-5, 1),
            OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneOffset.ofHours(9)),
            YearMonth.of(2026, 2),
            URI.create("https://example.org/?q=ü"),
            Optional.empty(),
            Optional.of(List.of(1)),
            DayOfWeek.FRIDAY,
            TimeUnit.DAYS,
            List.of(),
            List.of("a", 1, List.of(2)),
            Collections.unmodifiableList(Arrays.asList("a", null)),
            Set.of("a", "b", "c"),
            EnumSet.of(DayOfWeek.MONDAY),
            Map.of("k", List.of(1), "l", Map.of()),
            new TreeMap<>(Map.of("b", 1, "a", 2)),
            new ConcurrentHashMap<>(Map.of(1, 2)),
            new HashMap<>(Collections.singletonMap(null, null)))) {
      assertEquals(value, marshaller.fromBytes(marshaller.toBytes(value)));
    }
    assertArrayEquals(
        new char[] {'a', '\uD800'},
        (char[]) marshaller.fromBytes(marshaller.toBytes(new char[] {'a', '\uD800'})));
  }

  @Test
  void orders_areKept() {
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("z", 1);
    map.put("a", 2);
    Map<?, ?> back = (Map<?, ?>) marshaller.fromBytes(marshaller.toBytes(map));
    assertEquals(List.of("z", "a"), List.copyOf(back.keySet()));
    TreeSet<String> reversed = new TreeSet<>(Comparator.reverseOrder());
    reversed.addAll(List.of("a", "b"));
    Set<?> set = (Set<?>) marshaller.fromBytes(marshaller.toBytes(reversed));
    assertEquals(List.of("b", "a"), List.copyOf(set));
  }

  @Test
  void setsAndMapsWithoutOrder_haveEqualBytesIfTheyAreEqual() {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      words.add("word" + i);
    }
    Set<String> small = new HashSet<>(words);
    Set<String> large = new HashSet<>(100_000);
    Collections.reverse(words);
    large.addAll(words);
    assertArrayEquals(marshaller.toBytes(small), marshaller.toBytes(large));
    assertArrayEquals(marshaller.toBytes(small), marshaller.toBytes(Set.copyOf(words)));
    Map<String, Integer> one = new HashMap<>();
    Map<String, Integer> other = new HashMap<>(100_000);
    words.forEach(word -> one.put(word, word.length()));
    small.forEach(word -> other.put(word, word.length()));
    assertArrayEquals(marshaller.toBytes(one), marshaller.toBytes(other));
    assertArrayEquals(marshaller.toBytes(one), marshaller.toBytes(Map.copyOf(other)));
  }

  @Test
  void nullByItself_isRefused() {
    assertThrows(NullPointerException.class, () -> marshaller.toBytes(null));
    assertThrows(InvalidRequestException.class, () -> marshaller.fromBytes(new byte[0]));
  }

  @Test
  void arrayOfCharacters_comesBack() {
    Character[] chars = {'a', '\uD800'};
    assertArrayEquals(chars, (Character[]) marshaller.fromBytes(marshaller.toBytes(chars)));
    var refusal =
        assertThrows(
            InvalidRequestException.class, () -> marshaller.toBytes(new Character[] {'a', null}));
    assertTrue(refusal.getMessage().contains("index=1"), refusal.getMessage());
  }

  @Test
  void arrayOfOtherTypes_isRefusedWithWhatToUse() {
    for (Object array : new Object[] {new UUID[0], new int[1][1], new Thread.State[0]}) {
      var refusal = assertThrows(InvalidRequestException.class, () -> marshaller.toBytes(array));
      assertTrue(refusal.getMessage().contains("use a List"), refusal.getMessage());
      assertTrue(
          refusal.getMessage().contains("type=" + array.getClass().getSimpleName()),
          refusal.getMessage());
    }
  }
}
