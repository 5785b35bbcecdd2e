package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
  private final List<String> closed = new ArrayList<>();

  @Test
  void all_closesThePartsInTheirOrder() {
    Closing.all(List.of(() -> closed.add("a"), () -> closed.add("b")));
    assertEquals(List.of("a", "b"), closed);
  }

  @Test
  void all_whenPartsFail_closesTheOthersAndThrowsTheFirstFailure() {
    OutOfMemoryError error = new OutOfMemoryError("simulated");
    IllegalStateException later = new IllegalStateException("later");
    List<Runnable> parts =
        List.of(
            () -> closed.add("a"),
            () -> {
              throw error;
            },
            () -> closed.add("b"),
            () -> {
              throw later;
            },
            () -> {
              throw error;
            },
            () -> closed.add("c"));
    assertSame(error, assertThrows(OutOfMemoryError.class, () -> Closing.all(parts)));
    assertEquals(List.of("a", "b", "c"), closed);
    assertEquals(List.of(later), List.of(error.getSuppressed()));
  }

  @Test
  void all_whenAPartFailsWithAnException_throwsIt() {
    List<Runnable> parts =
        List.of(
            () -> {
              throw new IllegalStateException("first");
            },
            () -> closed.add("a"));
    assertThrows(IllegalStateException.class, () -> Closing.all(parts));
    assertEquals(List.of("a"), closed);
  }
}
