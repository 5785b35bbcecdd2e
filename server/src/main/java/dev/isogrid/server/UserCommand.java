package dev.isogrid.server;

import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.Users;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Administers the users of a server as a process: {@code isogrid user}. */
public final class UserCommand {
  private static final String PASSWORD = "--password";
  private static final String PASSWORD_FILE = "--password-file";
  private static final String NO_PASSWORD = "--no-password";
  private static final String CUSTOM_ROLES = "--custom-roles";

  /** The file name for the command's input. */
  private static final String INPUT = "-";

  private final PrintStream out;
  private final Supplier<String> passwords;
  private final InputStream in;

  /**
   * Creates the command.
   *
   * @param passwords prompts for a password if the command line has none
   * @param in the source of a password if its file is {@code -}
   */
  UserCommand(PrintStream out, Supplier<String> passwords, InputStream in) {
    this.out = out;
    this.passwords = passwords;
    this.in = in;
  }

  /** Runs the command and ends the process. */
  public static void main(String[] args) {
    System.exit(new UserCommand(System.out, UserCommand::ask, System.in).run(args, System.err));
  }

  private static String ask() {
    Optional<Console> terminal = Optional.ofNullable(System.console()).filter(Console::isTerminal);
    if (terminal.isEmpty()) {
      return fromInput();
    }
    Console console = terminal.get();
    String password = String.valueOf(console.readPassword("Password: "));
    if (!password.equals(String.valueOf(console.readPassword("Again: ")))) {
      throw new InvalidRequestException("the passwords differ; try again");
    }
    return password;
  }

  private static String fromInput() {
    return firstLine(System.in, "input");
  }

  /** Reads the first line of a source, which is borrowed. */
  private static String firstLine(InputStream source, String name) {
    try {
      String line =
          new BufferedReader(new InputStreamReader(source, Charset.defaultCharset())).readLine();
      if (line == null) {
        throw new InvalidRequestException(
            "no password: %s is empty; give a line with it".formatted(name));
      }
      return line;
    } catch (IOException failure) {
      throw unreadable(name, failure);
    }
  }

  private static InvalidRequestException unreadable(String name, IOException failure) {
    return new InvalidRequestException(
        "no password: %s can't be read, reason=%s; name a file that can be"
            .formatted(name, failure),
        failure);
  }

  /** Runs the command; returns the exit code. */
  int run(String[] args, PrintStream err) {
    try {
      CommandLine commandLine = new CommandLine(spec());
      ParseResult parsed = commandLine.parseArgs(args);
      ParseResult sub = parsed.subcommand();
      if (sub == null || parsed.isUsageHelpRequested() || sub.isUsageHelpRequested()) {
        CommandLine shown = sub == null ? commandLine : sub.commandSpec().commandLine();
        shown.usage(out, CommandLine.Help.Ansi.OFF);
        return 0;
      }
      execute(sub);
      if (sub.hasMatchedOption(PASSWORD)) {
        err.println(
            "isogrid: warning: all users of this machine can see a password on the command line;"
                + " leave it out, or use --password-file");
      }
      return 0;
    } catch (ParameterException wrong) {
      err.println("isogrid: " + wrong.getMessage() + "; see isogrid user --help");
    } catch (GridException failure) {
      err.println("isogrid: " + failure.getMessage());
    }
    return Main.EXIT_USAGE;
  }

  /** Refuses a command with too few or too many words after it. */
  private static void checkCount(ParseResult sub) {
    List<String> words = sub.matchedPositionalValue(0, List.of());
    int min = 1;
    int max = 1;
    switch (sub.commandSpec().name()) {
      case "list" -> {
        min = 0;
        max = 0;
      }
      case "roles" -> min = 0;
      case "grant", "revoke" -> {
        min = 2;
        max = Integer.MAX_VALUE;
      }
      default -> {
        // one user
      }
    }
    if (words.size() < min || words.size() > max) {
      throw new InvalidRequestException(
          "wrong number of words: command=%s, count=%d; see isogrid user %s --help"
              .formatted(sub.commandSpec().name(), words.size(), sub.commandSpec().name()));
    }
  }

  private void execute(ParseResult sub) {
    checkCount(sub);
    checkPasswordOptions(sub);
    String realm = sub.matchedOptionValue("--realm", SecuritySettings.REALM);
    Users users =
        new Users(
            ConfFolder.of(
                sub.matchedOptionValue("--conf", null), sub.matchedOptionValue("--data", null)),
            realm);
    String name = sub.commandSpec().name();
    switch (name) {
      case "create" -> create(users, sub);
      case "remove" -> {
        users.remove(user(sub));
        out.println("removed: user=" + user(sub));
      }
      case "password" -> {
        users.password(user(sub), password(sub));
        out.println("password set: user=" + user(sub));
      }
      case "grant" -> {
        checkRoles(roles(sub), sub);
        users.grant(user(sub), roles(sub));
        show(users, user(sub));
      }
      case "revoke" -> {
        users.revoke(user(sub), roles(sub));
        show(users, user(sub));
      }
      case "roles" -> roles(users, sub);
      default -> users.roles().keySet().forEach(each -> show(users, each));
    }
  }

  private void create(Users users, ParseResult sub) {
    String given = sub.matchedOptionValue("--roles", "");
    List<String> roles = Arrays.stream(given.split("[ ,]+")).filter(r -> !r.isEmpty()).toList();
    checkRoles(roles, sub);
    String password = sub.hasMatchedOption(NO_PASSWORD) ? null : password(sub);
    users.create(user(sub), password, roles);
    out.println("created in " + users.path() + ":");
    if (users.isFolderOpen()) {
      out.println(
          "warning: others can write to folder=%s, and so replace the users; run chmod go-w on it"
              .formatted(users.path().toAbsolutePath().getParent()));
    }
    show(users, user(sub));
    if (roles.isEmpty()) {
      out.println(
          "without a role nothing is permitted: isogrid user grant %s application%s"
              .formatted(user(sub), folderOptions(sub)));
    }
  }

  /** The options of this command that name the folder, for a further command. */
  private static String folderOptions(ParseResult sub) {
    StringBuilder options = new StringBuilder();
    for (String name : List.of("--conf", "--data")) {
      String folder = sub.matchedOptionValue(name, null);
      options.append(folder == null ? "" : " %s %s".formatted(name, folder));
    }
    return options.toString();
  }

  /** Refuses several ways to give a password at once. */
  private static void checkPasswordOptions(ParseResult sub) {
    List<String> given =
        Stream.of(PASSWORD, PASSWORD_FILE, NO_PASSWORD).filter(sub::hasMatchedOption).toList();
    if (given.size() > 1) {
      throw new InvalidRequestException(
          "%s exclude each other; give one".formatted(String.join(" and ", given)));
    }
  }

  private String password(ParseResult sub) {
    String given = sub.matchedOptionValue(PASSWORD, null);
    String file = sub.matchedOptionValue(PASSWORD_FILE, null);
    if (file == null) {
      return given == null ? passwords.get() : given;
    }
    if (file.equals(INPUT)) {
      return firstLine(in, "input");
    }
    try (InputStream source = Files.newInputStream(Path.of(file))) {
      return firstLine(source, "file " + file);
    } catch (IOException failure) {
      throw unreadable("file " + file, failure);
    }
  }

  /** Refuses roles that no server has without a configuration, unless the option permits them. */
  private static void checkRoles(List<String> roles, ParseResult sub) {
    List<String> unknown =
        roles.stream().filter(role -> !Roles.PREDEFINED.names().contains(role)).toList();
    if (!unknown.isEmpty() && !sub.hasMatchedOption(CUSTOM_ROLES)) {
      throw new InvalidRequestException(
          "unknown roles: roles=%s; use some of %s, or %s if a server's configuration has them"
              .formatted(unknown, String.join(", ", Roles.PREDEFINED.names()), CUSTOM_ROLES));
    }
  }

  private void show(Users users, String name) {
    Set<String> roles = users.roles().getOrDefault(name, Set.of());
    out.println(
        "user=%s, roles=%s%s"
            .formatted(
                name, String.join(",", roles), users.hasPassword(name) ? "" : ", no password"));
  }

  private void roles(Users users, ParseResult sub) {
    List<String> given = sub.matchedPositionalValue(0, List.of());
    if (!given.isEmpty()) {
      if (!users.roles().containsKey(given.getFirst())) {
        throw new InvalidRequestException(
            "no such user: user=%s; see isogrid user list".formatted(given.getFirst()));
      }
      show(users, given.getFirst());
      return;
    }
    Roles.PREDEFINED
        .masks()
        .forEach((role, mask) ->
            out.println("role=%s, permits=%s".formatted(role, Permission.names(mask))));
  }

  private static String user(ParseResult sub) {
    List<String> words = sub.matchedPositionalValue(0, List.of());
    return words.getFirst();
  }

  private static List<String> roles(ParseResult sub) {
    List<String> words = sub.matchedPositionalValue(0, List.of());
    return Arrays.stream(String.join(",", words.subList(1, words.size())).split(","))
        .filter(role -> !role.isEmpty())
        .toList();
  }

  private static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("isogrid user");
    spec.usageMessage()
        .description(
            "Administers the users of a server. A server that runs notices a change within a"
                + " second or two.");
    spec.addOption(help());
    CommandSpec create = withPassword(add(spec, "create", "Creates a user.", "<USER>"));
    create.addOption(option("--roles", "ROLE,...", "Roles to give the user."));
    create.addOption(
        OptionSpec.builder(NO_PASSWORD)
            .type(boolean.class)
            .description("The user logs in by a certificate or a token only.")
            .build());
    create.addOption(customRoles());
    add(spec, "remove", "Removes a user.", "<USER>");
    withPassword(add(spec, "password", "Sets a user's password.", "<USER>"));
    add(spec, "list", "Lists users and their roles.", "");
    add(spec, "roles", "Lists a user's roles, or those that there are.", "[<USER>]");
    add(spec, "grant", "Gives a user roles.", "<USER> <ROLE>...").addOption(customRoles());
    add(spec, "revoke", "Takes roles from a user.", "<USER> <ROLE>...");
    return spec;
  }

  private static CommandSpec withPassword(CommandSpec command) {
    command.addOption(
        option(
            PASSWORD_FILE,
            "FILE",
            "Its first line is the password; - for that of the input. Without it the command"
                + " asks."));
    return command.addOption(
        option(PASSWORD, "TEXT", "The password, which all users of this machine can see."));
  }

  private static OptionSpec customRoles() {
    return OptionSpec.builder(CUSTOM_ROLES)
        .type(boolean.class)
        .description("Permits roles that the server's configuration file defines.")
        .build();
  }

  private static OptionSpec help() {
    return OptionSpec.builder("--help", "-h").usageHelp(true).description("Shows this.").build();
  }

  private static OptionSpec option(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .type(String.class)
        .description(description)
        .build();
  }

  private static CommandSpec add(CommandSpec spec, String name, String description, String label) {
    CommandSpec sub = CommandSpec.create().name(name);
    sub.usageMessage().description(description);
    if (!label.isEmpty()) {
      sub.addPositional(
          PositionalParamSpec.builder()
              .index("0..*")
              .arity("0..*")
              .paramLabel(label)
              .type(List.class)
              .auxiliaryTypes(String.class)
              .build());
    }
    sub.addOption(option("--conf", "DIR", "The server's folder for users; default conf."));
    sub.addOption(option("--data", "DIR", "The server's data folder; users are in its conf."));
    sub.addOption(option("--realm", "NAME", "The realm of DIGEST; default default."));
    sub.addOption(help());
    spec.addSubcommand(name, sub);
    return sub;
  }
}
