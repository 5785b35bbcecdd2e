package dev.isogrid.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.store.BinaryKey;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UserFailureTest {
  private static String message(Object key) {
    return String.valueOf(
        new UserFailure("mapper", key, new IllegalStateException("asked to")).getMessage());
  }

  @Test
  void message_namesTheKey() {
    assertEquals(
        "mapper failed: key=hamlet, java.lang.IllegalStateException: asked to", message("hamlet"));
  }

  @Test
  void message_ofKeyThatCouldNotBeRead_showsItsBytes() {
    BinaryKey key = BinaryKey.of("J\u0006hamlet".getBytes(StandardCharsets.UTF_8));
    assertEquals(
        "mapper failed: key=J.hamlet (8 bytes), java.lang.IllegalStateException: asked to",
        message(key));
  }

  @Test
  void message_ofLongKey_isCut() {
    assertEquals(
        "mapper failed: key=" + "k".repeat(100) + "..., java.lang.IllegalStateException: asked to",
        message("k".repeat(101)));
  }
}
