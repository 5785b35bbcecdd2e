package dev.isogrid.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/**
 * Runs the command line in this process, with an input, a home and a password of the test's own.
 */
final class CommandLineSession {
  /** The output of a run. */
  record Ran(int exitCode, String output, String errors) {}

  private final Path home;
  private final String url;
  private @Nullable String password;
  private @Nullable String launcher;

  /** Runs with files in {@code home} against the server at {@code url}. */
  CommandLineSession(Path home, String url) {
    this.home = home;
    this.url = url;
  }

  /** Answers questions for a password by this one. */
  CommandLineSession password(String given) {
    password = given;
    return this;
  }

  /** Runs commands on files of this machine by this program. */
  CommandLineSession launcher(Path program) {
    launcher = program.toString();
    return this;
  }

  /** Runs one command. */
  Ran run(String... words) {
    List<String> all = new ArrayList<>(List.of("-c", url));
    all.addAll(List.of(words));
    return runWith("", all.toArray(String[]::new));
  }

  /** Runs a script from the input; the words are options. */
  Ran script(String script, String... words) {
    List<String> all = new ArrayList<>(List.of("-c", url));
    all.addAll(List.of(words));
    all.addAll(List.of("-f", "-"));
    return runWith(script, all.toArray(String[]::new));
  }

  /** Runs a whole command line. */
  Ran runWith(String input, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream output = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    int code =
        new Main(output, errors, this::environment, new Answers(password, input))
            .run(arguments, false);
    output.flush();
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private @Nullable String environment(@Nullable String name) {
    if ("HOME".equals(name)) {
      return home.toString();
    }
    return UserFolder.LAUNCHER.equals(name) ? launcher : null;
  }

  private record Answers(@Nullable String given, String text) implements Asker {
    @Override
    public String password(String prompt) {
      return given == null ? NOBODY.password(prompt) : given;
    }

    @Override
    public boolean confirms(String question) {
      return true;
    }

    @Override
    public boolean agrees(String question) {
      return NOBODY.agrees(question);
    }

    @Override
    public boolean sees() {
      return false;
    }

    @Override
    public InputStream input() {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public @Nullable Terminal terminal() {
      return null;
    }
  }
}
