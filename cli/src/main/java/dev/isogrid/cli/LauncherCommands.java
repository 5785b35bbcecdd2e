package dev.isogrid.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Commands on files of this machine: the users of a server, and the stores of caches. The launcher
 * runs them as {@code isogrid user} and {@code isogrid data}, with the options of these.
 */
final class LauncherCommands {
  private LauncherCommands() {}

  /** The command on stores. */
  static Command data() {
    return Command.group("data", "The store of one cache on this machine, while no server uses it.")
        .with(onStore("check", "Reads all records; fails if the store is damaged."))
        .with(onStore("repair", "Keeps all records that can be read."))
        .with(onStore("export", "Prints the entries, one JSON object per line."));
  }

  private static Command onStore(String name, String description) {
    return Command.of(name, description, call -> run(call, "data", name, call.operand(0)))
        .operand("DIR", "Folder of the store: stores/NAME in that of --data.");
  }

  /** Adds the commands that change users. */
  static Command withUsers(Command group) {
    return group
        .with(
            withFolder(
                    withPassword(
                        Command.of("create", "Creates a user.", call -> onUser(call, "create"))))
                .options("-g --roles --groups", "ROLE,...", "Roles to give the user.")
                .flag("--custom-roles", "Permits roles that a configuration file defines.")
                .flag("--no-password", "Only a certificate or a token logs in."))
        .with(
            withFolder(
                withPassword(
                    Command.of("password", "Sets a password.", call -> onUser(call, "password")))))
        .with(withFolder(Command.of("remove", "Removes a user.", call -> onUser(call, "remove"))));
  }

  /** Adds the commands that change roles of users. */
  static Command withRoles(Command group) {
    return group
        .with(
            withFolder(Command.of("grant", "Gives a user roles.", call -> onRoles(call, "grant")))
                .options("-g --roles", "ROLE,...", "Roles to give.")
                .flag("--custom-roles", "Permits roles that a configuration file defines."))
        .with(
            withFolder(
                    Command.of("deny", "Takes roles from a user.", call -> onRoles(call, "revoke")))
                .options("-g --roles", "ROLE,...", "Roles to take."));
  }

  private static Command withPassword(Command command) {
    return command
        .option("--password-file", "FILE", "Its first line is the password.")
        .option("-p --password", "TEXT", "The password, which others may see.");
  }

  private static Command withFolder(Command command) {
    return command
        .option("--conf", "DIR", "The server's folder for users; default conf.")
        .option("--data", "DIR", "The server's data folder; users are in its conf.")
        .option("-r --realm", "NAME", "The realm of DIGEST; default default.")
        .operand("USER", "Name of the user.");
  }

  private static void onUser(Call call, String what) {
    List<String> words = new ArrayList<>(List.of("user", what, call.operand(0)));
    ifThere(call, "--conf", words);
    ifThere(call, "--data", words);
    ifThere(call, "--realm", words);
    if (!what.equals("remove")) {
      ifThere(call, "--password-file", words);
      ifThere(call, "--password", words);
    }
    if (what.equals("create")) {
      List<String> roles = call.texts("--roles");
      if (!roles.isEmpty()) {
        words.addAll(List.of("--roles", String.join(",", roles)));
      }
      flagIfThere(call, "--custom-roles", words);
      flagIfThere(call, "--no-password", words);
    }
    run(call, words.toArray(String[]::new));
  }

  private static void onRoles(Call call, String what) {
    List<String> roles = call.texts("--roles");
    if (roles.isEmpty()) {
      throw new UsageFailure("user roles: give --roles ROLE,...");
    }
    List<String> words = new ArrayList<>(List.of("user", what, call.operand(0)));
    words.addAll(Arrays.asList(String.join(",", roles).split(",", -1)));
    ifThere(call, "--conf", words);
    ifThere(call, "--data", words);
    ifThere(call, "--realm", words);
    if (what.equals("grant")) {
      flagIfThere(call, "--custom-roles", words);
    }
    run(call, words.toArray(String[]::new));
  }

  private static void ifThere(Call call, String option, List<String> words) {
    String value = call.text(option);
    if (value != null) {
      words.addAll(List.of(option, value));
    }
  }

  private static void flagIfThere(Call call, String option, List<String> words) {
    if (call.flag(option)) {
      words.add(option);
    }
  }

  /** Runs a command of the launcher, with the terminal of this process if there is one. */
  private static void run(Call call, String... words) {
    Session session = call.session();
    String launcher = session.folder().launcher();
    String shown = String.join(" ", Arrays.copyOf(words, 2));
    if (launcher == null) {
      throw new CommandFailure(
          "the launcher is unknown: %s=none; run isogrid %s by itself"
              .formatted(UserFolder.LAUNCHER, shown));
    }
    List<String> line = new ArrayList<>(List.of(launcher));
    line.addAll(List.of(words));
    session.printer().out().flush();
    int code = exitCode(session, line, shown);
    if (code == ExitCode.USAGE) {
      throw new UsageFailure("refused: isogrid " + shown);
    }
    if (code != ExitCode.DONE) {
      throw new CommandFailure("failed: isogrid %s, exitCode=%d".formatted(shown, code));
    }
  }

  private static int exitCode(Session session, List<String> line, String shown) {
    Redirect target = session.asker().sees() ? Redirect.INHERIT : Redirect.PIPE;
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectInput(Redirect.INHERIT)
            .redirectOutput(target)
            .redirectError(target);
    try {
      Process process = builder.start();
      Thread errors = Thread.ofVirtual().start(() -> copy(process.getErrorStream(), session.err()));
      copy(process.getInputStream(), session.printer().out());
      errors.join();
      return process.waitFor();
    } catch (IOException failure) {
      throw new CommandFailure(
          "can't run isogrid %s: reason=%s; run it by itself".formatted(shown, failure), failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted: isogrid " + shown, interrupted);
    }
  }

  private static void copy(InputStream from, PrintStream to) {
    try (from) {
      from.transferTo(to);
      to.flush();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
