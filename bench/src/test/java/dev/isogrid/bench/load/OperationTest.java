package dev.isogrid.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OperationTest {
  @Test
  void of_requestsOfAMix_isOnePutAfterFourGets() {
    String puts =
        LongStream.range(0, 10)
            .mapToObj(Operation.MIXED::of)
            .map(operation -> operation == Operation.PUT ? "p" : "g")
            .reduce("", String::concat);

    assertEquals("ggggpggggp", puts);
    assertEquals(Operation.GET, Operation.GET.of(4));
    assertEquals(Operation.PUT, Operation.PUT.of(0));
  }
}
