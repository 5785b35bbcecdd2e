package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Commands on schemas of protocol buffers. */
final class SchemaCommands {
  private SchemaCommands() {}

  static List<Command> all() {
    Command schema =
        Command.group("schema", "Schemas of protocol buffers.")
            .with(Command.of("ls", "Lists all schemas with their errors.", SchemaCommands::list))
            .with(
                Command.of("get", "Prints a schema.", SchemaCommands::get)
                    .operand("NAME", "Name of the schema."))
            .with(
                Command.of("upload", "Writes a schema.", SchemaCommands::upload)
                    .option("-f --file", "FILE", "File that holds the schema.")
                    .operand("NAME", "Name of the schema, such as shop.proto."))
            .with(
                Command.of("remove", "Removes a schema.", SchemaCommands::remove)
                    .operand("NAME", "Name of the schema."));
    return List.of(schema);
  }

  private static void list(Call call) {
    List<List<String>> rows = new ArrayList<>();
    for (Object each : JsonText.array(call.send(RestRequest.get(TreePath.SCHEMAS)).json())) {
      Map<?, ?> schema = JsonText.object(each);
      rows.add(List.of(JsonText.text(schema.get("name")), error(schema)));
    }
    call.printer().table(List.of("name", "error"), rows);
  }

  private static String error(Map<?, ?> schema) {
    Object error = schema.get("error");
    return error instanceof Map<?, ?> object
        ? JsonText.text(object.get("message"))
        : JsonText.text(error);
  }

  private static void get(Call call) {
    call.printer().text(call.send(RestRequest.get(TreePath.SCHEMAS, call.operand(0))).text());
  }

  private static void upload(Call call) {
    String file = call.text("--file");
    if (file == null) {
      throw new UsageFailure("schema upload: give --file FILE");
    }
    String name = call.operand(0);
    RestRequest request =
        RestRequest.put(TreePath.SCHEMAS, name)
            .header("Content-Type", "text/plain")
            .body(EntryCommands.bytes(file));
    String error = error(call.send(request).object());
    if (!error.isEmpty()) {
      throw new CommandFailure(
          "the schema is kept, but it is wrong: name=%s, error=%s; upload a corrected one"
              .formatted(name, error));
    }
  }

  private static void remove(Call call) {
    call.send(RestRequest.delete(TreePath.SCHEMAS, call.operand(0)));
  }
}
