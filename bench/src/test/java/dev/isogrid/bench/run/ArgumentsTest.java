package dev.isogrid.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ArgumentsTest {
  private static final List<Option> OPTIONS =
      List.of(
          new Option("--forks", Option.Kind.COUNT, "3", "1", "Forks."),
          Option.of("--sizes", Option.Kind.COUNTS, "1,2", "Sizes."),
          Option.of("--heap", Option.Kind.HEAP, "512m", "Heap."));

  @Test
  void read_ofNothing_takesTheDefaults() {
    Arguments arguments = parse();
    assertEquals(3, arguments.number("--forks", 10));
    assertEquals(List.of(1, 2), arguments.numbers("--sizes", 10));
  }

  @Test
  void read_withQuick_takesItsDefaultsButWhatIsGiven() {
    assertEquals(1, parse("--quick").number("--forks", 10));
    assertEquals(5, parse("--forks", "5", "--quick").number("--forks", 10));
    assertTrue(parse("--quick").isQuick());
  }

  @Test
  void read_ofAValueOfAWrongForm_isRefused() {
    for (String[] words :
        new String[][] {
          {"--forks", "0"}, {"--forks", "-1"}, {"--forks", "many"}, {"--forks", "1.5"},
          {"--forks", "1,2"}, {"--forks", ""}, {"--sizes", "1,"}, {"--sizes", "1,x"},
          {"--heap", "big"}, {"--heap", "512mb"}
        }) {
      InvalidRequestException refusal =
          assertThrows(InvalidRequestException.class, () -> parse(words), String.join(" ", words));
      String message = String.valueOf(refusal.getMessage());
      assertTrue(message.startsWith(String.join(" ", words) + " is not allowed; give"), message);
    }
  }

  @Test
  void number_outOfRange_isRefused() {
    assertEquals(10, parse("--forks", "10").number("--forks", 10));
    for (String word : List.of("11", "9999999999")) {
      Arguments arguments = parse("--forks", word);
      assertThrows(InvalidRequestException.class, () -> arguments.number("--forks", 10), word);
    }
  }

  private static Arguments parse(String... words) {
    CommandForm form =
        new CommandForm("one", "Measures.", OPTIONS, Map.of(Arguments.QUICK, "Rough."));
    return form.read(new CommandLine(form.spec()).parseArgs(words));
  }
}
