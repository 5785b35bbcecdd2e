package dev.isogrid.chaos.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.chaos.fault.FaultKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsParserTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private @Nullable Options parseOrHelp(String words) {
    List<String> list = words.isEmpty() ? List.of() : Arrays.asList(words.split(" ", -1));
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new OptionsParser(42, Path.of("/checkout")).parse(list, stream);
  }

  private Options parse(String words) {
    return Objects.requireNonNull(parseOrHelp(words));
  }

  @Test
  void parse_ofHelp_listsTheOptionsOfItsOwnCommand() {
    assertNull(parseOrHelp("--help"));
    String help = out.toString(StandardCharsets.UTF_8);
    String command = parse("--processors 1 --retries 1").command();
    for (String word : command.split(" ", -1)) {
      assertTrue(!word.startsWith("--") || help.contains(word + "="), word);
    }
    assertTrue(help.contains("Default 1200."), help);
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
        "more",
        "--rate 0",
        "--threads 65",
        "--minutes 10081",
        "--client redis",
        "--retries 11",
        "--client embedded --retries 1",
        "--client isogrid --retries 1",
        "--seed 1 --seed 2"
      })
  void parse_ofAMistake_saysWhatIsWrong(String words) {
    OptionsParser.UsageException failure =
        assertThrows(OptionsParser.UsageException.class, () -> parse(words));
    String message = String.valueOf(failure.getMessage());
    assertEquals(1, message.lines().count(), message);
    assertTrue(message.contains("; "), message); // what to do
    assertTrue(message.contains("--"), message);
  }
}
