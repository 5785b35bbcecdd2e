package dev.isogrid.chaos.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.chaos.fault.FaultKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
  private static Options parse(String words) {
    List<String> list = words.isEmpty() ? List.of() : Arrays.asList(words.split(" ", -1));
    return Options.parse(list, 42, Path.of("/checkout"));
  }

  @Test
  void parse_ofNothing_givesDefaults() {
    Options options = parse("");
    assertEquals(60, options.seconds());
    assertEquals(3, options.nodes());
    assertEquals(42, options.seed());
    assertEquals(6, options.faults().size());
    assertEquals(2, options.owners());
    assertEquals(Path.of("/checkout/target/chaos/42"), options.folder());
    assertNull(options.history());
  }

  @Test
  void parse_ofItsOwnCommand_givesTheSame() {
    Options options =
        parse(
            "--minutes 0.5 --nodes 5 --seed 9 --faults kill,oneway --processors 1 --threads 4"
                + " --retries 3");
    assertEquals(30, options.seconds());
    assertEquals(3, options.retries());
    assertEquals(List.of(FaultKind.KILL, FaultKind.ONEWAY), options.faults());
    assertEquals(options, parse(options.command().replace("./isogrid chaos ", "")));
    assertEquals(List.of(), parse("--faults none").faults());
    Options all = parse("--nodes 5 --faults kill,majority --client isogrid");
    assertEquals(5, all.owners());
    assertEquals(all, parse(all.command().replace("./isogrid chaos ", "")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--nodes 2",
        "--nodes 6",
        "--nodes x",
        "--minutes 0",
        "--minutes x",
        "--faults flood",
        "--target redis",
        "--seed",
        "--what 1",
        "--retries 11",
        "--client embedded --retries 1",
        "--client isogrid --retries 1",
        "--seed 1 --seed 2"
      })
  void parse_ofAMistake_saysWhatIsWrong(String words) {
    Options.UsageException failure = assertThrows(Options.UsageException.class, () -> parse(words));
    assertTrue(String.valueOf(failure.getMessage()).contains("--"), failure::getMessage);
  }
}
