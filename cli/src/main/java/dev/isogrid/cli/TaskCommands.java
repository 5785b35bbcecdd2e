package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Commands on server tasks. */
final class TaskCommands {
  private TaskCommands() {}

  static List<Command> all() {
    Command task =
        Command.group("task", "Tasks that servers run.")
            .with(Command.of("ls", "Lists all tasks.", TaskCommands::list))
            .with(
                Command.of("exec", "Runs a task, and prints its result.", TaskCommands::run)
                    .options("-P --parameters", "NAME=VALUE", "A parameter; may be repeated.")
                    .option("-c --cache", "NAME", "The cache that the task gets.")
                    .operand("NAME", "Name of the task."));
    return List.of(task);
  }

  private static void list(Call call) {
    List<List<String>> rows = new ArrayList<>();
    for (Object each : JsonText.array(call.send(RestRequest.get(TreePath.TASKS)).json())) {
      Map<?, ?> task = JsonText.object(each);
      rows.add(
          List.of(
              JsonText.text(task.get("name")),
              JsonText.text(task.get("type")),
              JsonText.text(task.get("execution_mode")),
              JsonText.text(task.get("allowed_role")),
              String.join(
                  " ",
                  JsonText.array(task.get("parameters")).stream().map(String::valueOf).toList())));
    }
    call.printer().table(List.of("name", "type", "runs on", "role", "parameters"), rows);
  }

  private static void run(Call call) {
    RestRequest request =
        RestRequest.post(TreePath.TASKS, call.operand(0))
            .query("action", "exec")
            .queryIfThere("cache", call.text("--cache"));
    for (String parameter : call.texts("--parameters")) {
      int sign = parameter.indexOf('=');
      if (sign < 1) {
        throw new UsageFailure("malformed parameter: -P %s; give NAME=VALUE".formatted(parameter));
      }
      request.query("param." + parameter.substring(0, sign), parameter.substring(sign + 1));
    }
    RestReply reply = call.send(request);
    String type = reply.header("content-type");
    if (type != null && type.startsWith("application/json")) {
      call.printer().value(reply.json());
    } else {
      EntryCommands.print(call, reply);
    }
  }
}
