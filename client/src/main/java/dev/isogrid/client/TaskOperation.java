package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Versions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs a deployed task, whose parameters and result are as the values of a cache. */
final class TaskOperation<T> extends Operation<@Nullable T> {
  private final String task;
  private final Map<String, byte[]> parameters;

  private TaskOperation(RequestFormat format, String task, Map<String, byte[]> parameters) {
    super(format);
    this.task = task;
    this.parameters = parameters;
  }

  /** Makes bytes of the arguments. */
  static <T> TaskOperation<T> of(RequestFormat format, String task, Map<String, ?> arguments) {
    Map<String, byte[]> parameters = new LinkedHashMap<>();
    arguments.forEach((name, value) -> {
      Objects.requireNonNull(value, () -> "argument " + name);
      parameters.put(name, format.values().bytes(value));
    });
    return new TaskOperation<>(format, Objects.requireNonNull(task, "task"), parameters);
  }

  @Override
  int opcode() {
    return Opcodes.EXEC;
  }

  @Override
  int versionMin() {
    return Versions.V21;
  }

  @Override
  boolean isRepeatable() {
    return false;
  }

  @Override
  int size() {
    return parameters.values().stream().mapToInt(bytes -> bytes.length).sum();
  }

  @Override
  void encode(RequestWriter out) {
    out.string(task);
    out.vInt(parameters.size());
    parameters.forEach((name, value) -> {
      out.string(name);
      out.bytes(value);
    });
  }

  @Override
  @SuppressWarnings("unchecked") // the caller says what the task gives
  @Nullable T decode(ResponseReader in, int status) {
    return (T) in.object(format().values());
  }
}
