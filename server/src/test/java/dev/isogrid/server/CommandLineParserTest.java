package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The plain reader of command lines beside Picocli, which reads every form. */
class CommandLineParserTest {
  private static final int LINES = 20_000;
  private static final int WORDS_MAX = 5;

  private static final List<String> WORDS =
      List.of(
          "--port",
          "--port=1",
          "--port=",
          "--bind",
          "--bind=a=b",
          "--bind=-x",
          "--bind='a b'",
          "--auth",
          "--auth=true",
          "--found",
          "--cors-origin",
          "--cors-origin=http://a,http://b",
          "--config",
          "--help",
          "-h",
          "-V",
          "--",
          "-",
          "--no-such",
          "7",
          "x,y",
          "@",
          "=z",
          "a=b",
          "\"q\"",
          " ",
          "");

  private static String[] line(Random random) {
    return IntStream.range(0, random.nextInt(WORDS_MAX + 1))
        .mapToObj(_ -> WORDS.get(random.nextInt(WORDS.size())))
        .toArray(String[]::new);
  }

  private static @Nullable GivenOptions plain(String... args) {
    return GivenOptions.ofPlain(args, CommandLineParser.options());
  }

  @Test
  void ofPlain_ofAnyLine_isNothingElseThanPicocliReads() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
    int taken = 0;
    for (int i = 0; i < LINES; i++) {
      String[] args = line(random);
      GivenOptions plain = plain(args);
      if (plain != null) {
        taken++;
        GivenOptions full = PicocliSyntax.read(args, nowhere, "");
        assertEquals(full, plain, () -> "seed=%d, line=%s".formatted(seed, List.of(args)));
      }
    }
    assertTrue(taken > LINES / 100, "seed=%d, taken=%d".formatted(seed, taken));
  }

  @Test
  void ofPlain_ofUsualLines_needsNoPicocli() {
    assertEquals(
        new GivenOptions(
            Map.of(
                "--bind", List.of("0.0.0.0"),
                "--auth", List.of(),
                "--data", List.of("/data"),
                "--port", List.of("0"))),
        plain("--bind", "0.0.0.0", "--auth", "--data=/data", "--port", "0"));
    for (OptionList.Option option : CommandLineParser.options().all()) {
      GivenOptions alone =
          switch (option.kind()) {
            case FLAG -> plain(option.name());
            case TEXT -> plain(option.name(), "x");
            case LIST -> null;
          };
      assertEquals(option.kind() == OptionList.Kind.LIST, alone == null, option.name());
    }
  }

  @Test
  void ofPlain_ofWrongOrUnusualLines_leavesThemToPicocli() {
    assertNull(plain("--no-such"));
    assertNull(plain("--port"));
    assertNull(plain("--port", "1", "--port", "2"));
    assertNull(plain("--port", "--auth"));
    assertNull(plain("--auth=true"));
    assertNull(plain("--bind", "@file"));
    assertNull(plain("@file"));
    assertNull(plain("--help"));
  }

  @Test
  void parse_ofLinesThatAreNotPlain_isAsPicocliDoesIt() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    CommandLineParser parser = new CommandLineParser(_ -> null);
    assertNull(parser.parse(new String[] {"--version"}, out));
    assertEquals("isogrid " + Server.VERSION, bytes.toString(StandardCharsets.UTF_8).strip());
    assertNull(parser.parse(new String[] {"--port", "1", "--help"}, out));
    assertTrue(bytes.toString(StandardCharsets.UTF_8).contains("--metrics-names=NAMES"));
    String[] origins = {"--cors-origin=http://a,http://b", "--cors-origin", "http://c"};
    ServerOptions options = Objects.requireNonNull(parser.parse(origins, out));
    assertEquals(
        List.of("http://a", "http://b", "http://c"), options.security().limits().corsOrigins());
    String unknown = refusal(parser, out, "--no-such", "--port", "1");
    assertEquals("unknown option: --no-such; see isogrid server --help", unknown);
    assertTrue(refusal(parser, out, "--port").contains("--port"), "names the option");
    assertNotNull(refusal(parser, out, "--port", "1", "--port", "2"));
  }

  private static String refusal(CommandLineParser parser, PrintStream out, String... args) {
    return String.valueOf(
        assertThrows(InvalidRequestException.class, () -> parser.parse(args, out)).getMessage());
  }
}
