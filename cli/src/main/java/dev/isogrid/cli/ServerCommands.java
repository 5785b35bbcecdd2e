package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Commands on servers themselves: their state, logs, users, and their end. */
final class ServerCommands {
  private static final String SECURITY = "security";

  private ServerCommands() {}

  static List<Command> all() {
    return List.of(
        server(), logging(), StopCommands.shutdown(), LauncherCommands.data(), user(), whoami());
  }

  private static Command shows(String name, String description, RestRequest request) {
    return Command.of(name, description, call -> call.printer().value(call.send(request).json()));
  }

  private static Command server() {
    return Command.group("server", "The server that answers.")
        .with(shows("info", "Shows the version.", RestRequest.get("server")))
        .with(
            shows(
                "config",
                "Shows the configuration of the server with its caches.",
                RestRequest.get("server", "config")))
        .with(shows("memory", "Shows the server's memory.", RestRequest.get("server", "memory")))
        .with(
            Command.of(
                "threads",
                "Prints the stacks of the server's threads.",
                call ->
                    call.printer().text(call.send(RestRequest.get("server", "threads")).text())))
        .with(
            Command.of("metrics", "Prints the figures for Prometheus.", ServerCommands::metrics)
                .option("--pattern", "PATTERN", "Names that fit; * is any text."))
        .with(
            Command.group("principals", "Users of the server.")
                .with(
                    Command.of("ls", "Lists all users.", call -> call.printer().list(users(call)))))
        .with(
            Command.group("aclcache", "The servers' cache of users.")
                .with(
                    Command.of(
                        "flush",
                        "Lets the server read the users anew.",
                        call ->
                            call.send(
                                RestRequest.post(SECURITY, "cache").query("action", "flush")))));
  }

  private static void metrics(Call call) {
    String glob = call.text("--pattern");
    KeyPattern pattern = new KeyPattern(glob == null ? "*" : glob);
    List<List<Object>> rows = new ArrayList<>();
    String text = call.send(RestRequest.outside("/metrics")).text();
    for (MetricsText.Sample sample : MetricsText.parse(text)) {
      if (pattern.fits(sample.name())) {
        rows.add(List.of(sample.name(), sample.labels().toString(), sample.value()));
      }
    }
    call.printer().table(List.of("name", "labels", "value"), rows);
  }

  private static Command logging() {
    return Command.group("logging", "The log of the server that answers.")
        .with(
            Command.of(
                "list-loggers",
                "Lists loggers that have a level of their own.",
                ServerCommands::loggers))
        .with(
            shows(
                "list-appenders",
                "Shows where the log goes.",
                RestRequest.get("logging", "appenders")))
        .with(
            Command.of("set", "Sets the least level of a logger.", ServerCommands::setLevel)
                .option("-l --level", "LEVEL", "OFF, TRACE, DEBUG, INFO, WARN, ERROR or ALL.")
                .option("-a --appender", "NAME", "Where the log goes; list-appenders names it.")
                .optional("LOGGER", "Name of the logger; default the root."))
        .with(
            Command.of(
                    "remove",
                    "Gives a logger the level of the one above.",
                    call -> call.send(RestRequest.delete("logging", "loggers", call.operand(0))))
                .operand("LOGGER", "Name of the logger."));
  }

  private static void loggers(Call call) {
    List<List<String>> rows = new ArrayList<>();
    for (Object each : JsonText.array(call.send(RestRequest.get("logging", "loggers")).json())) {
      Map<?, ?> logger = JsonText.object(each);
      rows.add(List.of(JsonText.text(logger.get("name")), JsonText.text(logger.get("level"))));
    }
    call.printer().table(List.of("name", "level"), rows);
  }

  private static void setLevel(Call call) {
    String level = call.text("--level");
    if (level == null) {
      throw new UsageFailure("logging set: give --level LEVEL");
    }
    String logger = call.operandOrNull(0);
    RestRequest request =
        logger == null
            ? RestRequest.put("logging", "loggers")
            : RestRequest.put("logging", "loggers", logger);
    call.send(request.query("level", level).queryIfThere("appender", call.text("--appender")));
  }

  private static Command user() {
    Command roles =
        Command.group("roles", "Roles of users.")
            .with(
                Command.of("ls", "Lists all roles, or those of a user.", ServerCommands::roles)
                    .optional("USER", "Name of the user."));
    Command user =
        Command.group("user", "Users of a server; changes are made in the files of this machine.")
            .with(Command.of("ls", "Lists all users.", call -> call.printer().list(users(call))))
            .with(LauncherCommands.withRoles(roles));
    return LauncherCommands.withUsers(user);
  }

  private static List<?> users(Call call) {
    return JsonText.array(call.send(RestRequest.get(SECURITY, "users")).json());
  }

  private static void roles(Call call) {
    String user = call.operandOrNull(0);
    RestRequest request =
        user == null
            ? RestRequest.get(SECURITY, "roles")
            : RestRequest.get(SECURITY, "roles", user);
    call.printer().value(call.send(request).json());
  }

  private static Command whoami() {
    return shows(
        "whoami",
        "Shows the present user with its permissions.",
        RestRequest.get(SECURITY, "user", "acl"));
  }
}
