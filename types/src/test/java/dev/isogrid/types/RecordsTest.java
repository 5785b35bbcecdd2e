package dev.isogrid.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Records, enums and sealed interfaces as messages. */
@NullUnmarked // records with and without values
@SuppressWarnings("all") // what users may do is tested here
class RecordsTest {
  enum Color {
    RED,
    GREEN {
      @Override
      public String toString() {
        return "green";
      }
    }
  }

  record Empty() {}

  record Primitives(
      boolean a, byte b, short c, char d, int e, long f, float g, double h, Integer i, Long j) {}

  record Everyday(
      String text,
      byte[] bytes,
      Color color,
      UUID id,
      BigDecimal price,
      BigInteger big,
      Instant at,
      LocalDate day,
      LocalDateTime time,
      Duration took,
      URI uri,
      Date date) {}

  record Item(String name, int count) {}

  record Order(
      UUID id,
      List<Item> items,
      Set<Color> colors,
      Map<String, Integer> counts,
      Map<Color, Item> byColor,
      Optional<Item> gift,
      int[] numbers,
      String[] words,
      Item[] others,
      List<List<String>> nested,
      SortedSet<String> sorted,
      Object anything) {
    static Order empty() {
      return new Order(null, null, null, null, null, null, null, null, null, null, null, null);
    }
  }

  record Node(String name, Node left, List<Node> children) {}

  private record Hidden(int x) {}

  sealed interface Shape permits Circle, Square, Side {}

  record Circle(double radius) implements Shape {}

  record Square(double side, List<Shape> inner) implements Shape {}

  enum Side implements Shape {
    LEFT,
    RIGHT
  }

  record Drawing(Shape shape, List<Shape> shapes, Map<String, Shape> named) {}

  record Generic<T extends Comparable<T>>(
      T value, List<T> values, List<? extends Number> numbers) {}

  /** The number of the field of a wrapped message that has the message. */
  private static final int WRAPPED_MESSAGE = 17;

  private final ObjectMarshaller marshaller = new ObjectMarshaller();

  private Object roundTrip(Object object) {
    byte[] bytes = marshaller.toBytes(object);
    byte[] padded = new byte[bytes.length + 7];
    Arrays.fill(padded, (byte) -1);
    System.arraycopy(bytes, 0, padded, 3, bytes.length);
    return marshaller.fromBytes(padded, 3, bytes.length);
  }

  private void check(Object object) {
    assertEquals(object, roundTrip(object));
  }

  @Test
  void primitives_ofAllTypes_comeBack() {
    check(new Empty());
    check(new Hidden(5));
    check(new Primitives(false, (byte) 0, (short) 0, '\0', 0, 0, 0, 0, null, null));
    check(new Primitives(true, (byte) -1, (short) -2, '\uffff', -4, -5, -6f, -7d, -8, -9L));
    check(
        new Primitives(
            true,
            Byte.MIN_VALUE,
            Short.MIN_VALUE,
            '\u1234',
            Integer.MIN_VALUE,
            Long.MIN_VALUE,
            Float.NaN,
            Double.NaN,
            Integer.MAX_VALUE,
            Long.MAX_VALUE));
  }

  @Test
  void everydayTypes_asComponents_comeBack() {
    Everyday one =
        new Everyday(
            "grüße \uD83D\uDE00",
            new byte[] {1, 2},
            Color.GREEN,
            UUID.randomUUID(),
            new BigDecimal("-12.50"),
            BigInteger.TWO.pow(100).negate(),
            Instant.parse("1900-01-01T00:00:00.123456789Z"),
            LocalDate.of(-5, 1, 31),
            LocalDateTime.of(2026, 2, 3, 4, 5, 6, 7),
            Duration.ofNanos(-1),
            URI.create("http://x/y?z"),
            new Date(-5));
    Everyday back = (Everyday) roundTrip(one);
    assertArrayEquals(one.bytes(), back.bytes());
    assertEquals(
        one.toString().replaceAll("bytes=[^,]*", ""),
        back.toString().replaceAll("bytes=[^,]*", ""));
    check(new Everyday(null, null, null, null, null, null, null, null, null, null, null, null));
  }

  private static Order order() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    counts.put("z", 1);
    counts.put("a", -1);
    counts.put("", 0);
    return new Order(
        new UUID(1, 2),
        List.of(new Item("a", 1), new Item(null, 0)),
        Set.of(Color.RED, Color.GREEN),
        counts,
        Map.of(Color.RED, new Item("r", 5)),
        Optional.of(new Item("gift", 1)),
        new int[] {1, -2, 0},
        new String[] {"", "b"},
        new Item[] {new Item("o", 3)},
        List.of(List.of("a"), List.of(), Arrays.asList("b", null)),
        new TreeSet<>(Set.of("q", "p")),
        new ArrayList<>(Arrays.asList(1, "two", null, new Item("x", 1), Color.RED)));
  }

  @Test
  void collections_asComponents_comeBackInTheirOrder() {
    Order one = order();
    Order back = (Order) roundTrip(one);
    assertEquals(one.items(), back.items());
    assertEquals(one.colors(), back.colors());
    assertEquals(List.copyOf(one.counts().entrySet()), List.copyOf(back.counts().entrySet()));
    assertEquals(one.byColor(), back.byColor());
    assertEquals(one.gift(), back.gift());
    assertArrayEquals(one.numbers(), back.numbers());
    assertArrayEquals(one.words(), back.words());
    assertArrayEquals(one.others(), back.others());
    assertEquals(one.nested(), back.nested());
    assertEquals(one.sorted(), back.sorted());
    assertEquals(one.anything(), back.anything());
    check(Order.empty()); // a null list is not an empty one
  }

  /**
   * The fields of a message, those with the greatest number first, as other libraries may write.
   */
  private static byte[] reversed(byte[] message, UnaryOperator<byte[]> content) {
    SortedMap<Integer, ByteArrayOutputStream> fields = new TreeMap<>(Comparator.reverseOrder());
    MessageReader in = new MessageReader(message, 0, message.length);
    for (int start = 0; in.remaining() > 0; start = in.position()) {
      int tag = in.tag();
      int afterTag = in.position();
      in.skip(tag);
      byte[] field = Arrays.copyOfRange(message, start, in.position());
      if (MessageReader.number(tag) == WRAPPED_MESSAGE) {
        MessageReader whole = new MessageReader(message, afterTag, in.position() - afterTag);
        int length = whole.length();
        MessageWriter out = new MessageWriter(message.length);
        out.tag(tag);
        out.bytes(
            content.apply(Arrays.copyOfRange(message, in.position() - length, in.position())));
        field = out.toBytes();
      }
      fields
          .computeIfAbsent(MessageReader.number(tag), _ -> new ByteArrayOutputStream())
          .writeBytes(field);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    fields.values().forEach(each -> all.writeBytes(each.toByteArray()));
    return all.toByteArray();
  }

  @Test
  void fieldsInAnotherOrder_areRead() {
    Order order = order();
    Order plain =
        new Order(
            order.id(),
            order.items(),
            order.colors(),
            order.counts(),
            order.byColor(),
            order.gift(),
            order.numbers(),
            order.words(),
            order.others(),
            null, // the order is what makes a collection of collections
            order.sorted(),
            new Item("any", 1));
    Object drawing =
        new Drawing(new Circle(1), List.of(Side.LEFT, new Square(2, List.of())), Map.of());
    for (Object object : List.of(plain, drawing, Order.empty(), new Item("x", 2))) {
      byte[] bytes = marshaller.toBytes(object);
      byte[] other = reversed(bytes, message -> reversed(message, UnaryOperator.identity()));
      assertFalse(Arrays.equals(bytes, other));
      assertArrayEquals(bytes, marshaller.toBytes(marshaller.fromBytes(other)));
    }
  }

  @Test
  void recursiveRecords_comeBack() {
    check(new Node("a", new Node("b", null, List.of()), List.of(new Node("c", null, null))));
    check(
        new Drawing(
            new Square(1, List.of(new Circle(2), Side.RIGHT)),
            List.of(Side.LEFT, new Circle(0)),
            Map.of("c", new Circle(3))));
    check(new Circle(5));
    check(Side.RIGHT);
    check(new Generic<>("x", List.of("y"), List.of(1, 2.0)));
  }

  @Test
  void deepNesting_isRefusedWhenWritten() {
    Node node = null;
    for (int i = 0; i < 99; i++) {
      node = new Node("n" + i, node, List.of());
    }
    check(node);
    for (int i = 0; i < 100_000; i++) {
      node = new Node("n" + i, node, List.of());
    }
    Node deep = node;
    var e = assertThrows(InvalidRequestException.class, () -> marshaller.toBytes(deep));
    assertTrue(e.getMessage().contains("nested too deeply"), e.getMessage());
  }

  @Test
  void nullElement_ofATypedList_isRefused() {
    var list = new ArrayList<Item>();
    list.add(null);
    Order e0 = Order.empty();
    Order order =
        new Order(e0.id(), list, null, null, null, null, null, null, null, null, null, null);
    var e = assertThrows(InvalidRequestException.class, () -> marshaller.toBytes(order));
    assertTrue(e.getMessage().contains("component=items"), e.getMessage());
  }
}
