package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts words as a user does. */
class WordCountCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    try (PrintStream toOut = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream toErr = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      return new WordCountCommand(toOut, toErr).run(args);
    }
  }

  @Test
  void words_ofFiles_areCountedWithoutCase(@TempDir Path folder) throws IOException {
    Path one = folder.resolve("one.txt");
    Path two = folder.resolve("two.txt");
    Files.writeString(one, "The cat saw the dog.\n".repeat(2000));
    Files.writeString(two, "(THE) cat");
    assertEquals(0, run("--top", "2", one.toString(), two.toString()));
    String text = out.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("4,001  the") && text.contains("2,001  cat"), text);
    assertTrue(text.contains("10,002 words, 4 different"), text);
  }

  @Test
  void wrongOptions_areRefused() {
    assertEquals(Main.EXIT_USAGE, run());
    assertEquals(Main.EXIT_USAGE, run("--nodes", "0", "file"));
    assertEquals(0, run("--help"));
    assertEquals(1, run("no-such-file"));
  }
}
