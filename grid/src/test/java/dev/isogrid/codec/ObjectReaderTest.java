package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.SignedObject;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.BadAttributeValueExpException;
import javax.swing.event.EventListenerList;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that a node accepts from others, and refused ones. */
class ObjectReaderTest {
  private static final ObjectReader SERVER = new ObjectReader(List.of(), null);
  private static final ObjectReader EMBEDDED = ObjectReader.ofAllPackages();

  private static @Nullable Object read(ObjectReader reader, @Nullable Object object)
      throws Exception {
    byte[] bytes = JavaObjects.toBytes(object).toByteArray();
    return reader.read(bytes, 0, bytes.length);
  }

  /** The object that a server reads from the bytes of a non-null one. */
  private static Object readObject(Object object) throws Exception {
    return Objects.requireNonNull(read(SERVER, object));
  }

  private static String refusal(ObjectReader reader, Object object) throws Exception {
    byte[] bytes = JavaObjects.toBytes(object).toByteArray();
    return refusal(reader, bytes);
  }

  private static String refusal(ObjectReader reader, byte[] bytes) {
    return String.valueOf(
        assertThrows(InvalidClassException.class, () -> reader.read(bytes, 0, bytes.length))
            .getMessage());
  }

  static Stream<Object> values() throws Exception {
    Map<String, Object> map = new TreeMap<>(Comparator.<String>naturalOrder().reversed());
    map.put("a", List.of(1, 2L, 'c', true, 1.5));
    return Stream.of(
        "text",
        new int[][] {{1}, {2, 3}},
        map,
        Map.of("k", new BigDecimal("1.5")),
        new HashMap<>(Map.of(1, new String[] {"x"})),
        EnumSet.of(TimeUnit.DAYS),
        new AtomicInteger(7),
        ZonedDateTime.parse("2026-01-01T00:00:00Z"),
        new IllegalStateException("outer", new UncheckedIOException(new IOException("io"))),
        new OfIsogrid("x", 1),
        new ArrayList<>(Arrays.asList(null, "b")));
  }

  /** Of Isogrid's packages. */
  record OfIsogrid(String text, int number) implements Serializable {}

  @ParameterizedTest
  @MethodSource("values")
  void read_ofPlainValues_isWhatWasWritten(Object value) throws Exception {
    for (ObjectReader reader : List.of(SERVER, EMBEDDED)) {
      Object read = read(reader, value);
      if (value instanceof int[][] arrays) {
        assertArrayEquals(arrays, (int[][]) read);
      } else if (value instanceof Throwable failure) {
        Throwable copy = (Throwable) read;
        assertNotNull(copy);
        assertEquals(failure.toString(), copy.toString());
        assertEquals(failure.getStackTrace()[0], copy.getStackTrace()[0]);
      } else {
        assertEquals(value.getClass(), read == null ? null : read.getClass());
        assertTrue(
            value instanceof HashMap || value instanceof AtomicInteger || value.equals(read));
      }
    }
  }

  @Test
  @SuppressWarnings("unchecked") // what was written is what is read
  void read_ofLambdas_doesAsTheyDo() throws Exception {
    UnaryOperator<Integer> twice = (UnaryOperator<Integer> & Serializable) i -> 2 * i;
    assertEquals(6, ((UnaryOperator<Integer>) readObject(twice)).apply(3));
    Comparator<Map.Entry<String, Integer>> order = Map.Entry.comparingByValue();
    assertEquals(
        0,
        ((Comparator<Map.Entry<String, Integer>>) readObject(order))
            .compare(Map.entry("a", 1), Map.entry("b", 1)));
  }

  @Test
  void read_ofWhatIsNestedTooDeep_isRefused() throws Exception {
    Object nested = "inside";
    for (int i = 0; i < 2 * ObjectReader.DEPTH_MAX; i++) {
      nested = new ArrayList<>(List.of(nested));
    }
    assertTrue(refusal(EMBEDDED, nested).contains("nested too deep: depth=101, max=100"));
  }

  @Test
  void read_ofTooManyObjects_isRefused() throws Exception {
    List<Object> many = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      many.add(new AtomicInteger(i));
    }
    ObjectReader strict = new ObjectReader(List.of(), null, 1000);
    assertTrue(refusal(strict, many).contains("too many objects: count=1001, max=1000"));
    assertEquals(many.size(), ((List<?>) readObject(many)).size());
  }

  @Test
  void read_ofAnArrayLongerThanWhatThereIs_isRefusedBeforeItIsMade() throws Exception {
    byte[] bytes = JavaObjects.toBytes(new long[] {1}).toByteArray();
    int lengthAt = bytes.length - Long.BYTES - Integer.BYTES;
    assertEquals(1, ByteBuffer.wrap(bytes).getInt(lengthAt));
    ByteBuffer.wrap(bytes).putInt(lengthAt, Integer.MAX_VALUE - 8);
    assertTrue(refusal(EMBEDDED, bytes).contains("array too long: elements=2147483639, max="));
  }

  @Test
  void read_ofSparseTables_isNotTakenForThat() throws Exception {
    HashMap<Integer, Integer> sparse = new HashMap<>(1 << 20, 0.25f);
    for (int i = 0; i < 10_000; i++) {
      sparse.put(i, 0);
    }
    assertEquals(sparse, read(SERVER, sparse));
  }

  static Stream<Object> risky() throws Exception {
    var keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    Object proxy =
        Proxy.newProxyInstance(
            ObjectReaderTest.class.getClassLoader(),
            new Class<?>[] {Runnable.class, Serializable.class},
            (InvocationHandler & Serializable) (_, _, _) -> null);
    return Stream.of(
        new SignedObject("nested", keys.getPrivate(), Signature.getInstance("Ed25519")),
        new BadAttributeValueExpException("x"),
        new EventListenerList(),
        new Object[] {Attribute.class},
        proxy);
  }

  @ParameterizedTest
  @MethodSource("risky")
  void read_ofRiskyClassesOfJava_isRefusedEverywhere(Object object) throws Exception {
    for (ObjectReader reader : List.of(SERVER, EMBEDDED)) {
      String message = refusal(reader, object);
      assertTrue(message.contains("class not allowed: class="), message);
      assertTrue(message.contains("--allow-packages"), message);
      assertTrue(message.contains("GridConfig.allowedPackages"), message);
    }
  }

  @Test
  void read_ofOtherValuesOfJava_isForTheConfigurationToAllow() throws Exception {
    URI address = URI.create("http://localhost");
    TimeZone zone = TimeZone.getTimeZone("Europe/Paris");
    assertEquals(address, read(EMBEDDED, address));
    assertEquals(zone, read(EMBEDDED, zone));
    assertTrue(refusal(SERVER, address).contains("class=java.net.URI;"));
    assertEquals(address, read(new ObjectReader(List.of("java.net"), null), address));
  }

  /** Makes an object of a class that only a loader of its own knows. */
  private static Object foreign(Path folder, URLClassLoader loader) throws Exception {
    Path source = folder.resolve("Foreign.java");
    Files.writeString(
        source, "package com.acme.tasks; public class Foreign implements java.io.Serializable {}");
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", folder.toString(), source.toString());
    assertEquals(0, result);
    return loader.loadClass("com.acme.tasks.Foreign").getConstructor().newInstance();
  }

  @Test
  void read_ofAClassOfUsers_needsItsPackageOrItsLoader(@TempDir Path folder) throws Exception {
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      byte[] bytes = JavaObjects.toBytes(foreign(folder, loader)).toByteArray();
      List<ObjectReader> allowing =
          List.of(
              EMBEDDED,
              new ObjectReader(List.of(), loader),
              new ObjectReader(List.of("com.acme"), null),
              new ObjectReader(List.of("x", "com.acme.tasks"), null));
      for (ObjectReader reader : allowing) {
        assertNotNull(reader.read(bytes, 0, bytes.length, loader));
      }
      for (String other : List.of("com.acm", "com.acme.task", "com.acme.tasks.Foreign", "acme")) {
        ObjectReader reader = new ObjectReader(List.of(other), null);
        InvalidClassException refused =
            assertThrows(
                InvalidClassException.class, () -> reader.read(bytes, 0, bytes.length, loader));
        assertTrue(refused.toString().contains("class=com.acme.tasks.Foreign;"), other);
      }
    }
  }
}
