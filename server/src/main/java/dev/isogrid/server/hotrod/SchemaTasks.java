package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.net.SchemaCatalog;
import dev.isogrid.server.net.SchemaCatalog.When;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The tasks by which clients administer schemas. Thread-safe; calls block.
 *
 * <p>{@code op} is {@code c} to create a file, {@code u} to change one, {@code s} to do either. A
 * file with the same content stays unchanged unless there is a parameter {@code force}. The result
 * is {@code c}, {@code u} or {@code n} for created, updated or neither. For a wrong file, a
 * semicolon and the error follow.
 */
final class SchemaTasks {
  private final SchemaCatalog schemas;

  SchemaTasks(SchemaCatalog schemas) {
    this.schemas = schemas;
  }

  byte[] write(Map<String, String> parameters) {
    String name = TaskRunner.required(parameters, "name");
    String content = TaskRunner.required(parameters, "content");
    boolean isForced = parameters.containsKey("force");
    When when =
        switch (TaskRunner.required(parameters, "op")) {
          case "c" -> When.ABSENT;
          case "u" -> isForced ? When.PRESENT : When.PRESENT_AND_DIFFERENT;
          case "s" -> isForced ? When.ALWAYS : When.DIFFERENT;
          default ->
              throw new InvalidRequestException(
                  "unknown parameter value: name=op; use c, u or s for create, update or save");
        };
    String result =
        switch (schemas.write(name, content, when)) {
          case CREATED -> "c";
          case UPDATED -> "u";
          case NONE -> "n";
        };
    String error = result.equals("n") ? null : schemas.errors().get(name);
    return (error == null ? result : result + ";" + error).getBytes(StandardCharsets.UTF_8);
  }

  byte[] remove(Map<String, String> parameters) {
    boolean removed = schemas.remove(TaskRunner.required(parameters, "name"));
    return (removed ? "1" : "0").getBytes(StandardCharsets.US_ASCII);
  }
}
