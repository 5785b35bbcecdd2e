package dev.isogrid.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  private static final List<Option> OPTIONS =
      List.of(new Option("--forks", "3", "1", "Forks."), Option.of("--sizes", "1,2", "Sizes."));

  @Test
  void parse_ofNothing_takesTheDefaults() {
    Arguments arguments = parse();
    assertEquals(3, arguments.number("--forks", 10));
    assertEquals(List.of(1, 2), arguments.numbers("--sizes", 10));
  }

  @Test
  void parse_withQuick_takesItsDefaultsButWhatIsGiven() {
    assertEquals(1, parse("--quick").number("--forks", 10));
    assertEquals(5, parse("--forks", "5", "--quick").number("--forks", 10));
    assertTrue(parse("--quick").isQuick());
  }

  @Test
  void parse_ofWhatIsNotAllowed_isRefused() {
    for (String[] words :
        new String[][] {{"--nope", "1"}, {"--forks"}, {"--forks", "1", "--forks", "2"}, {"x"}}) {
      assertThrows(InvalidRequestException.class, () -> parse(words), String.join(" ", words));
    }
  }

  @Test
  void number_outOfRange_isRefused() {
    for (String word : List.of("0", "11", "-1", "many", "", "1.5")) {
      Arguments arguments = parse("--forks", word);
      assertThrows(InvalidRequestException.class, () -> arguments.number("--forks", 10), word);
    }
  }

  private static Arguments parse(String... words) {
    return Arguments.parse(OPTIONS, List.of(words));
  }
}
