package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The parts of the targets of requests. */
class RequestTargetTest {
  private final RequestTarget target = new RequestTarget();

  private static String query(int names, int repetitions) {
    return IntStream.range(0, names * repetitions)
        .mapToObj(i -> "p" + i % names + "=" + i)
        .collect(Collectors.joining("&", "/a?", ""));
  }

  @Test
  void parameters_haveTheFirstValueOfEachName() {
    target.parse("/a?x=1&y&x=2&&z=%20b#c=d");
    assertEquals(Map.of("x", "1", "y", "", "z", " b"), target.parameters());
    assertEquals(List.of("1", "2"), target.query().get("x"));
    target.parse("/a");
    assertEquals(Map.of(), target.parameters());
    assertEquals(Map.of(), target.query());
  }

  @Test
  void parameters_areLimitedByTheirNames() {
    target.parse(query(64, 3));
    assertEquals("63", target.parameters().get("p63"));
    assertEquals(List.of("0", "64", "128"), target.query().get("p0"));
    target.parse(query(65, 1));
    assertThrows(RestProblem.class, target::parameters);
    assertThrows(RestProblem.class, target::query);
  }

  @Test
  void emptySegments_areFoundBehindAPlace() {
    target.parse("//a/b");
    assertTrue(target.hasEmptyBehind(0));
    assertFalse(target.hasEmptyBehind(1));
    target.parse("/a//b/?c/");
    assertTrue(target.hasEmptyBehind(2));
    assertFalse(target.hasEmptyBehind(3));
    target.parse("/a/b");
    assertFalse(target.hasEmptyBehind(0));
    assertEquals(2, target.count());
  }
}
