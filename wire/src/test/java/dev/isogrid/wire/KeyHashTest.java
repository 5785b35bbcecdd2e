package dev.isogrid.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares with hashes and segments that were computed elsewhere. */
class KeyHashTest {
  private static final Pattern VECTOR =
      Pattern.compile(
          "\"key\": \"(\\w*)\", .*?\"hash32\": (-?\\d+), .*?\"segmentOf256\": (\\d+),"
              + " \"segmentOf60\": (\\d+), \"segmentOf8\": (\\d+)");

  private record Vector(String keyHex, int hash, int of256, int of60, int of8) {
    byte[] key() {
      return HexFormat.of().parseHex(keyHex);
    }
  }

  private static List<Vector> vectors() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(KeyHashTest.class.getResourceAsStream("/hash-vectors.json"))) {
      List<Vector> vectors = new ArrayList<>();
      Matcher matcher = VECTOR.matcher(new String(file.readAllBytes(), StandardCharsets.UTF_8));
      while (matcher.find()) {
        vectors.add(
            new Vector(
                matcher.group(1),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)),
                Integer.parseInt(matcher.group(4)),
                Integer.parseInt(matcher.group(5))));
      }
      return vectors;
    }
  }

  @Test
  void hash_ofKnownKeys_isTheSame() throws IOException {
    assertEquals(21, vectors().size());
    for (Vector vector : vectors()) {
      assertEquals(vector.hash, KeyHash.hash(vector.key()), vector.keyHex);
    }
  }

  @Test
  void hash_ofAPartOfAnArray_isThatOfTheBytes() throws IOException {
    for (Vector vector : vectors()) {
      byte[] key = vector.key();
      byte[] padded = new byte[key.length + 7];
      System.arraycopy(key, 0, padded, 3, key.length);
      padded[key.length + 3] = 77;
      assertEquals(vector.hash, KeyHash.hash(padded, 3, key.length));
    }
  }

  @Test
  void hash_beyondTheArray_fails() {
    assertThrows(IndexOutOfBoundsException.class, () -> KeyHash.hash(new byte[4], 2, 3));
    assertThrows(IndexOutOfBoundsException.class, () -> KeyHash.hash(new byte[4], 0, -1));
  }

  @Test
  void segments_ofKnownKeys_areTheSame() throws IOException {
    for (Vector vector : vectors()) {
      assertEquals(vector.of256, new Segments(256).of(vector.hash));
      assertEquals(vector.of60, new Segments(60).of(vector.hash));
      assertEquals(vector.of8, new Segments(8).of(vector.hash));
    }
  }
}
