package dev.isogrid.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.testkit.CompiledClasses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Two versions of a class at once, in two class loaders, with one registry. */
@NullUnmarked // records with and without values
@SuppressWarnings("all") // what users may do is tested here
class EvolutionTest {
  private static final String NAME = "shop.Order";

  private final SchemasInMemory registry = new SchemasInMemory();

  /** A program with one version of the classes. */
  private final class Version {
    final CompiledClasses classes;
    final ObjectMarshaller marshaller;

    Version(String... sources) {
      Map<String, String> named = new java.util.HashMap<>();
      for (String source : sources) {
        var name =
            java.util.regex.Pattern.compile("(record|enum|interface|class) (\\w+)").matcher(source);
        assertTrue(name.find());
        named.put("shop." + name.group(2), "package shop; import java.util.*; public " + source);
      }
      classes = new CompiledClasses(named);
      marshaller = new ObjectMarshaller(classes).withRegistry(registry);
    }

    byte[] write(Object... components) {
      return marshaller.toBytes(classes.make(NAME, components));
    }

    String read(byte[] bytes) {
      return marshaller.fromBytes(bytes).toString();
    }
  }

  @Test
  void components_addedAndRemoved_areReadBothWays() {
    Version one = new Version("record Order(String id, int count, String note) {}");
    Version two =
        new Version("record Order(String id, int count, long total, List<String> tags) {}");
    byte[] old = one.write("a", 5, "note");
    byte[] young = two.write("b", 6, 7L, List.of("x"));
    assertEquals("Order[id=a, count=5, total=0, tags=[]]", two.read(old));
    assertEquals("Order[id=b, count=6, note=null]", one.read(young));
    Version three = new Version("record Order(String other, String note, int count) {}");
    assertEquals("Order[other=null, note=note, count=5]", three.read(old));
    String schema = registry.schema("shop.Order.proto");
    assertTrue(schema.contains("optional string note = 3;"), schema);
    assertTrue(schema.contains("optional int64 total = 4;"), schema);
    assertTrue(schema.contains("optional string other = 6;"), schema);
  }

  @Test
  void components_reordered_keepTheirNumbersAndBytes() {
    Version one = new Version("record Order(String id, int count) {}");
    Version two = new Version("record Order(int count, String id) {}");
    byte[] old = one.write("a", 5);
    assertEquals("Order[count=5, id=a]", two.read(old));
    assertArrayEquals(old, two.write(5, "a"));
  }

  @Test
  void components_widened_areReadBothWays() {
    Version one =
        new Version("record Order(int count, float price, int[] all, Map<String, Integer> m) {}");
    Version two =
        new Version(
            "record Order(long count, double price, long[] all, Map<String, Long> m) { public"
                + " String toString() { return count + \" \" + price + Arrays.toString(all) + m; }"
                + " }");
    byte[] old = one.write(-5, 1.5f, new int[] {-1, 2}, Map.of("k", 3));
    byte[] young = two.write(-6L, 2.5, new long[] {3}, Map.of("k", 4L));
    assertEquals("-5 1.5[-1, 2]{k=3}", two.read(old));
    assertTrue(one.read(young).startsWith("Order[count=-6, price=2.5"), one.read(young));
    String schema = registry.schema("shop.Order.proto");
    assertTrue(schema.contains("optional int64 count = 1;"), schema);
    assertTrue(schema.contains("optional double price = 2;"), schema);
    assertTrue(schema.contains("map<string, int64> m = 4;"), schema);
    byte[] large = two.write(1L << 40, 2.5, new long[] {}, Map.of());
    var e = assertThrows(InvalidRequestException.class, () -> one.read(large));
    String place = "record=shop.Order, component=count, value=" + (1L << 40);
    assertTrue(e.getMessage().contains(place), e.getMessage());
    byte[] inMap = two.write(1L, 2.5, new long[] {}, Map.of("k", 1L << 40));
    e = assertThrows(InvalidRequestException.class, () -> one.read(inMap));
    assertTrue(e.getMessage().contains("component=m, value=" + (1L << 40)), e.getMessage());
    one.write(1, 1f, new int[0], Map.of());
    Version again =
        new Version("record Order(int count, float price, int[] all, Map<String, Integer> m) {}");
    again.write(1, 1f, new int[0], Map.of());
    assertEquals(schema, registry.schema("shop.Order.proto")); // not narrowed again
  }

  @Test
  void missingComponents_haveTheDefaultsOfTheRecord() {
    Version one = new Version("record Order(String id) {}");
    Version two =
        new Version(
            "record Order(String id, String country, int count, Optional<String> gift) { static"
                + " Order defaults() { return new Order(null, \"DE\", 1, Optional.of(\"g\")); } }");
    assertEquals("Order[id=a, country=DE, count=1, gift=Optional[g]]", two.read(one.write("a")));
    byte[] zeros = two.write("b", null, 0, Optional.empty());
    assertEquals("Order[id=b, country=null, count=0, gift=Optional.empty]", two.read(zeros));
    byte[] nulls = two.write("b", "", 0, null);
    assertEquals("Order[id=b, country=, count=0, gift=null]", two.read(nulls));
  }

  @Test
  void constants_added_areNullForOlderVersions() {
    String order = "record Order(Color color, int x) {}";
    Version one = new Version(order, "enum Color {RED, GREEN}");
    Version two = new Version(order, "enum Color {BLUE, GREEN, RED}");
    byte[] old = one.write(one.classes.constant("shop.Color", "GREEN"), 1);
    assertEquals("Order[color=GREEN, x=1]", two.read(old));
    byte[] young = two.write(two.classes.constant("shop.Color", "BLUE"), 2);
    assertEquals("Order[color=null, x=2]", one.read(young));
    byte[] alone = two.marshaller.toBytes(two.classes.constant("shop.Color", "BLUE"));
    var e = assertThrows(InvalidRequestException.class, () -> one.read(alone));
    assertTrue(e.getMessage().contains("shop.Color"), e.getMessage());
    assertTrue(registry.schema("shop.Color.proto").contains("COLOR_BLUE = 2;"));
  }

  @Test
  void permittedClasses_added_areNullForOlderVersions() {
    String order = "record Order(Shape shape, int x) {}";
    String circle = "record Circle(int r) implements Shape {}";
    Version one = new Version(order, "sealed interface Shape permits Circle {}", circle);
    Version two =
        new Version(
            order,
            "sealed interface Shape permits Square, Circle {}",
            circle,
            "record Square(Shape inner) implements Shape {}");
    byte[] old = one.write(one.classes.make("shop.Circle", 3), 1);
    assertEquals("Order[shape=Circle[r=3], x=1]", two.read(old));
    byte[] young =
        two.write(two.classes.make("shop.Square", two.classes.make("shop.Circle", 4)), 2);
    assertEquals("Order[shape=Square[inner=Circle[r=4]], x=2]", two.read(young));
    assertEquals("Order[shape=null, x=2]", one.read(young));
  }

  @Test
  void type_changed_isRefusedWithBothTypes() {
    new Version("record Order(String id, int count) {}").write("a", 1);
    Version two = new Version("record Order(int id, int count) {}");
    for (int i = 0; i < 2; i++) {
      var e = assertThrows(InvalidRequestException.class, () -> two.write(1, 1));
      for (String part : List.of("shop.Order", "component=id", "was=string", "is=int32 (int)")) {
        assertTrue(e.getMessage().contains(part), e.getMessage());
      }
    }
    for (String other :
        List.of(
            "record Order(String id, String count) {}",
            "record Order(String id, double count) {}",
            "record Order(String id, List<Integer> count) {}",
            "record Order(List<String> id, int count) {}",
            "record Order(byte[] id, int count) {}",
            "record Order(Order id, int count) {}",
            "record Order(java.time.LocalDate id, int count) {}",
            "record Order(Object id, int count) {}",
            "enum Order {A}")) {
      Version version = new Version(other);
      assertThrows(
          InvalidRequestException.class,
          () -> version.marshaller.schemaOf(version.classes.loadClass(NAME)),
          other);
    }
    for (String other :
        List.of(
            "record Order(Optional<String> id, Integer count) {}",
            "record Order(String id, long count) {}",
            "record Order(String id, short count) {}")) {
      Version version = new Version(other);
      version.marshaller.toBytes(
          version.classes.make(
              NAME,
              other.contains("Optional") ? Optional.of("x") : "x",
              other.contains("long")
                  ? 1L
                  : other.contains("short") ? (Object) (short) 1 : (Object) 1));
    }
  }

  @Test
  void classThatIsPermittedLater_keepsItsFile() {
    Version one = new Version("record Order(int r) {}");
    byte[] old = one.write(1);
    Version two =
        new Version(
            "record Order(int r, int s) implements Shape {}",
            "sealed interface Shape permits Order {}",
            "record Holder(Shape shape) {}");
    byte[] held =
        two.marshaller.toBytes(two.classes.make("shop.Holder", two.classes.make(NAME, 2, 3)));
    assertEquals("Holder[shape=Order[r=2, s=3]]", two.read(held));
    assertEquals("Order[r=1, s=0]", two.read(old));
    assertTrue(registry.schema("shop.Order.proto").contains("message Order"));
    assertTrue(!registry.schema("shop.Shape.proto").contains("message Order"));
  }

  @Test
  void classOfAnInterfacesFile_isFoundByVersionsWithoutTheInterface() {
    Version two =
        new Version(
            "record Order(int s, int r) implements Shape {}",
            "sealed interface Shape permits Order {}");
    byte[] young = two.write(1, 2);
    Version one = new Version("record Order(int r, int s) {}");
    assertEquals("Order[r=2, s=1]", one.read(young));
    assertEquals("Order[s=4, r=3]", two.read(one.write(3, 4)));
    assertTrue(registry.schema("shop.Shape.proto").contains("message Order"));
    assertTrue(!registry.schema("shop.Order.proto").contains("message Order"));
  }

  @Test
  void circlesOfFiles_areCutWithoutChangingBytes() {
    Version one = new Version("record Order(int x, B b) {}", "record B(int y) {}");
    byte[] old = one.write(1, one.classes.make("shop.B", 2));
    Version two = new Version("record Order(int x, B b) {}", "record B(int y, Order order) {}");
    assertEquals("Order[x=1, b=B[y=2, order=null]]", two.read(old));
    byte[] young =
        two.write(3, two.classes.make("shop.B", 4, two.classes.make(NAME, 5, (Object) null)));
    assertEquals("Order[x=3, b=B[y=4, order=Order[x=5, b=null]]]", two.read(young));
    assertEquals("Order[x=3, b=B[y=4]]", one.read(young));
    String order = registry.schema("shop.Order.proto");
    assertTrue(order.contains("optional bytes b = 2;"), order);
    assertTrue(!order.contains("import"), order);
    Version again = new Version("record Order(int x, B b) {}", "record B(int y) {}");
    assertEquals("Order[x=1, b=B[y=2]]", again.read(old));
    assertEquals(order, registry.schema("shop.Order.proto"));
  }

  @Test
  void contextClassLoader_choosesBetweenClassesOfOneName() {
    Version one = new Version("record Order(int x) {}");
    Version two = new Version("record Order(int x, int y) {}");
    ObjectMarshaller shared = new ObjectMarshaller().withRegistry(registry);
    byte[] bytes = two.write(1, 2);
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try {
      for (int i = 0; i < 2; i++) {
        Thread.currentThread().setContextClassLoader(one.classes);
        assertEquals("Order[x=1]", shared.fromBytes(bytes).toString());
        Thread.currentThread().setContextClassLoader(two.classes);
        assertEquals("Order[x=1, y=2]", shared.fromBytes(bytes).toString());
      }
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
    assertThrows(InvalidRequestException.class, () -> shared.fromBytes(bytes));
    shared.toBytes(one.classes.make(NAME, 5));
    assertEquals("Order[x=1]", shared.fromBytes(bytes).toString());
  }
}
