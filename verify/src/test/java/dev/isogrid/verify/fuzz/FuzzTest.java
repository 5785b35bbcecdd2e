package dev.isogrid.verify.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Children;
import dev.isogrid.verify.Project;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fuzzes the readers of foreign bytes by Jazzer, each target in a JVM of its own. It begins with
 * the inputs in {@code src/test/fuzz}, one per line in hexadecimal. Options, for example of a
 * nightly run:
 *
 * <ul>
 *   <li>{@code -Dfuzz.seconds=600}: the length of the run of each target
 *   <li>{@code -Dfuzz.grow=true}: adds the inputs that reach further to the files
 * </ul>
 *
 * The message contains a failing input, which you add by hand.
 */
@Tag("deep")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FuzzTest {
  private static final int SECONDS = Integer.getInteger("fuzz.seconds", 4);
  private static final boolean GROW = Boolean.getBoolean("fuzz.grow");

  /** The limit of an input: a slower one counts as hanging. The first one starts a server. */
  private static final int INPUT_SECONDS_MAX = 60;

  private static final int INPUT_LENGTH_MAX = 2048;

  /** The classes whose coverage guides the search. */
  private static final List<String> MEASURED =
      List.of(
          "dev.isogrid.server.**",
          "dev.isogrid.codec.**",
          "org.infinispan.protostream.impl.parser.**");

  /** The additional time for starting and ending. */
  private static final int SPARE_SECONDS = 120;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "verify.fuzz.HotRodFuzz",
        "verify.fuzz.MemcachedFuzz",
        "verify.fuzz.RestFuzz",
        "verify.fuzz.SchemaFuzz",
        "server.security.PemFuzz",
        "server.security.SaslFuzz",
        "server.security.TokenFuzz"
      })
  void bytesThatNobodyShouldSend_doNoHarm(String target) throws Exception {
    String name = target.substring(target.lastIndexOf('.') + 1);
    Path inputs = Project.root().resolve("verify/src/test/fuzz").resolve(name + ".txt");
    Path corpus = Files.createDirectory(folder.resolve("corpus"));
    int number = 0;
    for (String line : Files.readAllLines(inputs, StandardCharsets.US_ASCII)) {
      Files.write(corpus.resolve("seed" + number++), HexFormat.of().parseHex(line));
    }
    String output = jazzer(target, "-max_total_time=" + SECONDS, corpus.toString());
    assertTrue(output.contains("INITED") && output.contains("DONE"), output);
    if (GROW) {
      Path merged = Files.createDirectory(folder.resolve("merged"));
      jazzer(target, "-merge=1", merged.toString(), corpus.toString());
      Files.write(inputs, lines(merged), StandardCharsets.US_ASCII);
    }
  }

  private String jazzer(String target, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:+EnableDynamicAgentLoading"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + folder); // of what targets write
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=dev.isogrid." + target);
    command.add("--instrumentation_includes=" + String.join(":", MEASURED));
    command.add("-timeout=" + INPUT_SECONDS_MAX);
    command.add("-max_len=" + INPUT_LENGTH_MAX);
    Collections.addAll(command, arguments);
    Path output = folder.resolve("output");
    Process process =
        Children.start(
            new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile()));
    try {
      assertTrue(process.waitFor(SECONDS + SPARE_SECONDS, TimeUnit.SECONDS), "it goes on");
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(output, StandardCharsets.ISO_8859_1);
    assertEquals(0, process.exitValue(), () -> crash() + text);
    return text;
  }

  /** The failing inputs, in the form of the files. */
  private String crash() {
    try (Stream<Path> files = Files.list(folder)) {
      StringBuilder found = new StringBuilder();
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith("crash-") || name.startsWith("timeout-")) {
          found.append(name).append(' ');
          found.append(HexFormat.of().formatHex(Files.readAllBytes(file))).append('\n');
        }
      }
      return found.toString();
    } catch (IOException unreadable) {
      return unreadable + "\n";
    }
  }

  private static List<String> lines(Path merged) throws IOException {
    try (Stream<Path> files = Files.list(merged)) {
      Path[] sorted = files.sorted().toArray(Path[]::new);
      String[] lines = new String[sorted.length];
      for (int i = 0; i < sorted.length; i++) {
        lines[i] = HexFormat.of().formatHex(Files.readAllBytes(sorted[i]));
      }
      return Arrays.stream(lines).filter(line -> !line.isEmpty()).sorted().toList();
    }
  }
}
