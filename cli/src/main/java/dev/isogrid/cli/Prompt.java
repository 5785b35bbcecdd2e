package dev.isogrid.cli;

import java.io.IOException;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** Reads commands at a prompt, with history and completion. Ctrl-C ends a command, Ctrl-D all. */
final class Prompt implements Asker {
  /** Commands that are kept from session to session. */
  private static final int HISTORY_MAX = 1000;

  private final Terminal terminal;
  private final LineReader reader;

  private Prompt(Terminal terminal, LineReader reader) {
    this.terminal = terminal;
    this.reader = reader;
  }

  /**
   * Runs commands until the user ends the session.
   *
   * @param mustConnect whether the user named a server, so that a failure to connect ends it all
   */
  static void run(Interpreter interpreter, boolean mustConnect) {
    Session session = interpreter.session();
    try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
      DefaultParser parser = new DefaultParser();
      LineReader reader =
          LineReaderBuilder.builder()
              .terminal(terminal)
              .appName("isogrid")
              .parser(parser)
              .completer(new NameCompleter(interpreter))
              .variable(LineReader.HISTORY_FILE, session.folder().history())
              .variable(LineReader.HISTORY_SIZE, HISTORY_MAX)
              .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_MAX)
              .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
              .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
              .build();
      Prompt prompt = new Prompt(terminal, reader);
      session.asker(prompt);
      Thread commands = Thread.currentThread();
      terminal.handle(Terminal.Signal.INT, _ -> commands.interrupt());
      prompt.connect(session, mustConnect);
      prompt.loop(interpreter);
    } catch (IOException e) {
      throw new CommandFailure(
          "the terminal can't be used: reason=%s; give commands by -f".formatted(e.getMessage()),
          e);
    }
  }

  private void connect(Session session, boolean mustConnect) {
    try {
      session.connection();
    } catch (CommandFailure failure) {
      if (mustConnect) {
        throw failure;
      }
      session.note(failure.text());
      session.disconnect();
    }
  }

  private void loop(Interpreter interpreter) {
    Session session = interpreter.session();
    while (!session.isOver()) {
      String line;
      try {
        line = reader.readLine(session.prompt());
      } catch (UserInterruptException e) {
        continue;
      } catch (EndOfFileException e) {
        return;
      }
      try {
        interpreter.run(line);
      } catch (CommandFailure failure) {
        Main.report(session, failure);
      }
      session.printer().out().flush();
      Thread.interrupted(); // Ctrl-C was for that command
    }
  }

  @Override
  public String password(String prompt) {
    try {
      return reader.readLine(prompt, '\0');
    } catch (UserInterruptException | EndOfFileException e) {
      throw new CommandFailure("no password was given", e);
    }
  }

  @Override
  public boolean confirms(String question) {
    try {
      String answer = reader.readLine(question + " [y/N] ").strip();
      return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
    } catch (UserInterruptException | EndOfFileException e) {
      return false; // as the answer no
    }
  }

  @Override
  public boolean agrees(String question) {
    return confirms(question);
  }

  @Override
  public boolean sees() {
    return true;
  }

  @Override
  public @Nullable Terminal terminal() {
    return terminal;
  }
}
