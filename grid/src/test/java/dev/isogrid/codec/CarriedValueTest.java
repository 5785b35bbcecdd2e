package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CarriedValueTest {
  private record Inner(String text, long number, boolean flag) {}

  private record Outer(List<Inner> inners, Optional<Inner> maybe, Optional<String> none, byte b) {}

  private record Positive(int number) {
    Positive {
      if (number <= 0) {
        throw new IllegalArgumentException("number=" + number);
      }
    }
  }

  private record Holder(Object object) {}

  private static Object copied(Object object, ObjectReader reader) throws Exception {
    byte[] bytes = JavaObjects.toBytes(object).toByteArray();
    return Objects.requireNonNull(reader.read(bytes, 0, bytes.length));
  }

  @Test
  void record_thatIsNotSerializable_isTheSameAfterwards() throws Exception {
    Inner inner = new Inner("x", 5, true);
    Outer outer = new Outer(List.of(inner, inner), Optional.of(inner), Optional.empty(), (byte) 3);

    assertEquals(outer, copied(outer, ObjectReader.ofAllPackages()));
    assertEquals(List.of(outer), copied(List.of(outer), ObjectReader.ofAllPackages()));
  }

  @Test
  void record_withWhatCantBeSerialized_isRefused() {
    assertThrows(
        NotSerializableException.class, () -> JavaObjects.toBytes(new Holder(new Object())));
  }

  @Test
  void record_whoseConstructorRefuses_isRefused() throws IOException {
    byte[] bytes = JavaObjects.toBytes(new Positive(0x01020304)).toByteArray();
    for (int i = 0; i + 4 <= bytes.length; i++) {
      if (bytes[i] == 1 && bytes[i + 1] == 2 && bytes[i + 2] == 3 && bytes[i + 3] == 4) {
        bytes[i] = (byte) 0x81;
      }
    }
    InvalidObjectException refused =
        assertThrows(
            InvalidObjectException.class,
            () -> ObjectReader.ofAllPackages().read(bytes, 0, bytes.length));
    assertTrue(String.valueOf(refused.getMessage()).contains("number=-"), refused.getMessage());
  }

  @Test
  void value_ofAClassThatIsNotAllowed_isRefused() throws IOException {
    CarriedValue forged = new CarriedValue(File.class, new String[0], new Object[0]);
    byte[] bytes = JavaObjects.toBytes(forged).toByteArray();
    assertThrows(
        InvalidClassException.class,
        () -> new ObjectReader(List.of("com.acme"), null).read(bytes, 0, bytes.length));
    InvalidObjectException refused =
        assertThrows(
            InvalidObjectException.class,
            () -> ObjectReader.ofAllPackages().read(bytes, 0, bytes.length));
    assertEquals("not a record: class=java.io.File", refused.getMessage());
  }
}
