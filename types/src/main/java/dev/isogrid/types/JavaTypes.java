package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.types.Struct.Part;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.BitSet;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Classes of the JDK that are messages. */
final class JavaTypes {
  /*
   * Those that ProtoStream has messages for have the same fields here, so that other clients read
   * and write them. Instant and Date are exceptions as components: ProtoStream's messages for them
   * can't be read from JSON. Those here are as google.protobuf.Timestamp, and milliseconds.
   */

  /** ProtoStream's schema file of common types, known to every server. */
  static final String COMMON_FILE = "common-java-types.proto";

  /** Isogrid's own schema file. */
  static final String OWN_FILE = "isogrid-types.proto";

  /** The package of ProtoStream's common types. */
  static final String COMMON_PACKAGE = "org.infinispan.protostream.commons.";

  /** The package of Isogrid's own types. */
  static final String OWN_PACKAGE = "dev.isogrid.types.";

  /** Stands for the id of a type that has none. */
  static final int NO_ID = -1;

  private static final int UUID_ID = 1005;
  private static final int BIT_SET_ID = 1013;

  private static final Long ZERO = 0L;

  /**
   * A class and its message.
   *
   * @param typeName full name of the message
   * @param typeId number that stands for the name; {@link #NO_ID} if it has none
   * @param file that defines the message
   */
  record JavaType(Class<?> type, String typeName, int typeId, String file, MessageCodec codec) {}

  private static final Map<Class<?>, JavaType> BY_CLASS = new HashMap<>();
  private static final Map<String, JavaType> BY_NAME = new HashMap<>();
  private static final Map<Integer, JavaType> BY_ID = new HashMap<>();

  static {
    numbers();
    dates();
    zones();
    own();
  }

  private JavaTypes() {}

  /** The message of a class; null if it is none of these. */
  static @Nullable JavaType of(Class<?> type) {
    JavaType known = BY_CLASS.get(type);
    return known == null && ZoneId.class.isAssignableFrom(type)
        ? BY_CLASS.get(ZoneId.class)
        : known;
  }

  static @Nullable JavaType named(String typeName) {
    return BY_NAME.get(typeName);
  }

  static @Nullable JavaType withId(int typeId) {
    return BY_ID.get(typeId);
  }

  /**
   * The name of a message.
   *
   * @param name full name
   * @param id number that stands for it, or {@link #NO_ID}
   */
  private record Name(String name, int id) {}

  private static <T> void add(
      Class<T> type,
      Name name,
      List<Part> parts,
      Function<T, @Nullable Object[]> split,
      Function<@Nullable Object[], T> join) {
    String typeName = name.name();
    Struct codec = new Struct(typeName, parts, o -> split.apply(type.cast(o)), join::apply);
    String file = typeName.startsWith(COMMON_PACKAGE) ? COMMON_FILE : OWN_FILE;
    JavaType added = new JavaType(type, typeName, name.id(), file, codec);
    BY_CLASS.put(type, added);
    BY_NAME.put(typeName, added);
    if (name.id() != NO_ID) {
      BY_ID.put(name.id(), added);
    }
  }

  private static <T> void common(
      Class<T> type,
      List<Part> parts,
      Function<T, @Nullable Object[]> split,
      Function<@Nullable Object[], T> join) {
    add(type, new Name(COMMON_PACKAGE + type.getSimpleName(), NO_ID), parts, split, join);
  }

  private static <T> void own(
      Class<T> type,
      List<Part> parts,
      Function<T, @Nullable Object[]> split,
      Function<@Nullable Object[], T> join) {
    add(type, new Name(OWN_PACKAGE + type.getSimpleName(), NO_ID), parts, split, join);
  }

  private static Part int32(int number) {
    return new Part(number, Scalars.INTEGER, 0);
  }

  private static Part int64(int number) {
    return new Part(number, Scalars.LONG, ZERO);
  }

  private static Part text(int number) {
    return new Part(number, Scalars.STRING, null);
  }

  private static Part bytes(int number) {
    return new Part(number, Scalars.BYTES, null);
  }

  private static <T> T as(Class<T> type, @Nullable Object part) {
    return type.cast(Objects.requireNonNull(part));
  }

  private static int intOf(@Nullable Object part) {
    return as(Integer.class, part);
  }

  private static long longOf(@Nullable Object part) {
    return as(Long.class, part);
  }

  private static String textOf(@Nullable Object part) {
    return as(String.class, part);
  }

  private static void numbers() {
    add(
        UUID.class,
        new Name(COMMON_PACKAGE + "UUID", UUID_ID),
        List.of(
            new Part(1, Scalars.LONG, null),
            new Part(2, Scalars.LONG, null),
            new Part(3, Scalars.FIXED_64, ZERO),
            new Part(4, Scalars.FIXED_64, ZERO)),
        id -> new Object[] {null, null, id.getMostSignificantBits(), id.getLeastSignificantBits()},
        p ->
            p[0] == null
                ? new UUID(longOf(p[2]), longOf(p[3]))
                : new UUID(longOf(p[0]), longOf(p[1])));
    add(
        BitSet.class,
        new Name(COMMON_PACKAGE + "BitSet", BIT_SET_ID),
        List.of(new Part(1, Scalars.BYTES, new byte[0])),
        bits -> new Object[] {bits.toByteArray()},
        p -> BitSet.valueOf(as(byte[].class, p[0])));
    common(
        BigInteger.class,
        List.of(bytes(1)),
        number -> new Object[] {number.toByteArray()},
        p -> new BigInteger(as(byte[].class, p[0])));
    common(
        BigDecimal.class,
        List.of(bytes(1), int32(2)),
        number -> new Object[] {number.unscaledValue().toByteArray(), number.scale()},
        p -> new BigDecimal(new BigInteger(as(byte[].class, p[0])), intOf(p[1])));
  }

  private static void dates() {
    common(
        LocalDate.class,
        List.of(int64(1)),
        date -> new Object[] {date.toEpochDay()},
        p -> LocalDate.ofEpochDay(longOf(p[0])));
    common(
        LocalTime.class,
        List.of(int64(1)),
        time -> new Object[] {time.toNanoOfDay()},
        p -> LocalTime.ofNanoOfDay(longOf(p[0])));
    common(
        LocalDateTime.class,
        List.of(nested(1, LocalDate.class), nested(2, LocalTime.class)),
        time -> new Object[] {time.toLocalDate(), time.toLocalTime()},
        p -> LocalDateTime.of(as(LocalDate.class, p[0]), as(LocalTime.class, p[1])));
    common(
        Period.class,
        List.of(int32(1), int32(2), int32(3)),
        period -> new Object[] {period.getYears(), period.getMonths(), period.getDays()},
        p -> Period.of(intOf(p[0]), intOf(p[1]), intOf(p[2])));
    common(
        Year.class,
        List.of(int32(1)),
        year -> new Object[] {year.getValue()},
        p -> Year.of(intOf(p[0])));
    common(
        MonthDay.class,
        List.of(int32(1), int32(2)),
        day -> new Object[] {day.getMonthValue(), day.getDayOfMonth()},
        p -> MonthDay.of(intOf(p[0]), intOf(p[1])));
  }

  private static Part nested(int number, Class<?> type) {
    return new Part(number, as(JavaType.class, BY_CLASS.get(type)).codec(), null);
  }

  private static void zones() {
    common(
        ZoneId.class,
        List.of(text(1)),
        zone -> new Object[] {zone.getId()},
        p -> ZoneId.of(textOf(p[0])));
    common(
        ZoneOffset.class,
        List.of(text(1)),
        zone -> new Object[] {zone.getId()},
        p -> ZoneOffset.of(textOf(p[0])));
    common(
        OffsetTime.class,
        List.of(nested(1, LocalTime.class), nested(2, ZoneOffset.class)),
        time -> new Object[] {time.toLocalTime(), time.getOffset()},
        p -> OffsetTime.of(as(LocalTime.class, p[0]), as(ZoneOffset.class, p[1])));
    common(
        ZonedDateTime.class,
        List.of(int64(1), int32(2), text(3)),
        time -> new Object[] {time.toEpochSecond(), time.getNano(), time.getZone().getId()},
        p ->
            ZonedDateTime.ofInstant(
                Instant.ofEpochSecond(longOf(p[0]), intOf(p[1])), ZoneId.of(textOf(p[2]))));
  }

  @SuppressWarnings("JavaUtilDate") // users have them
  private static void own() {
    own(
        Instant.class,
        List.of(int64(1), int32(2)),
        instant -> new Object[] {instant.getEpochSecond(), instant.getNano()},
        p -> Instant.ofEpochSecond(longOf(p[0]), intOf(p[1])));
    own(
        Duration.class,
        List.of(int64(1), int32(2)),
        duration -> new Object[] {duration.getSeconds(), duration.getNano()},
        p -> Duration.ofSeconds(longOf(p[0]), intOf(p[1])));
    own(
        OffsetDateTime.class,
        List.of(int64(1), int32(2), text(3)),
        time -> new Object[] {time.toEpochSecond(), time.getNano(), time.getOffset().getId()},
        p ->
            OffsetDateTime.ofInstant(
                Instant.ofEpochSecond(longOf(p[0]), intOf(p[1])), ZoneOffset.of(textOf(p[2]))));
    own(
        YearMonth.class,
        List.of(int32(1), int32(2)),
        month -> new Object[] {month.getYear(), month.getMonthValue()},
        p -> YearMonth.of(intOf(p[0]), intOf(p[1])));
    own(
        Date.class,
        List.of(int64(1)),
        date -> new Object[] {date.getTime()},
        p -> new Date(longOf(p[0])));
    own(
        URI.class,
        List.of(text(1)),
        uri -> new Object[] {uri.toString()},
        p -> URI.create(textOf(p[0])));
    add(
        char[].class,
        new Name(OWN_PACKAGE + "CharArray", NO_ID),
        List.of(new Part(1, Scalars.BYTES, new byte[0])),
        chars -> new Object[] {utf16(chars)},
        p -> fromUtf16(as(byte[].class, p[0])));
    add(
        Character[].class,
        new Name(OWN_PACKAGE + "CharacterArray", NO_ID),
        List.of(new Part(1, Scalars.BYTES, new byte[0])),
        chars -> new Object[] {utf16(unboxed(chars))},
        p -> boxed(fromUtf16(as(byte[].class, p[0]))));
  }

  private static char[] unboxed(@Nullable Character[] chars) {
    char[] all = new char[chars.length];
    for (int i = 0; i < all.length; i++) {
      Character each = chars[i];
      if (each == null) {
        throw new InvalidRequestException(
            "null in an array of characters: index=%d; use a List<Character>".formatted(i));
      }
      all[i] = each;
    }
    return all;
  }

  private static Character[] boxed(char[] chars) {
    Character[] all = new Character[chars.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = chars[i];
    }
    return all;
  }

  /** Two bytes for each character, since an array can have characters that UTF-8 can't express. */
  private static byte[] utf16(char[] chars) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(chars.length, Character.BYTES));
    bytes.asCharBuffer().put(chars);
    return bytes.array();
  }

  private static char[] fromUtf16(byte[] bytes) {
    char[] chars = new char[bytes.length / Character.BYTES];
    ByteBuffer.wrap(bytes).asCharBuffer().get(chars);
    return chars;
  }
}
