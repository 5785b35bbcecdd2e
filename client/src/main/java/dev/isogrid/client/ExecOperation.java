package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Versions;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Runs an administrative task of the servers, whose parameters and result are text. */
final class ExecOperation extends Operation<String> {
  private final String task;
  private final Map<String, String> parameters;
  private final boolean isRead;

  /**
   * Creates one.
   *
   * @param isRead whether the task changes nothing, so that it may be tried again
   */
  ExecOperation(RequestFormat format, String task, Map<String, String> parameters, boolean isRead) {
    super(format.withoutTypes());
    this.task = task;
    this.parameters = parameters;
    this.isRead = isRead;
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
    return isRead;
  }

  @Override
  int size() {
    return parameters.values().stream().mapToInt(String::length).sum();
  }

  @Override
  void encode(RequestWriter out) {
    out.string(task);
    out.vInt(parameters.size());
    parameters.forEach((name, value) -> {
      out.string(name);
      out.bytes(value.getBytes(StandardCharsets.UTF_8));
    });
  }

  @Override
  String decode(ResponseReader in, int status) {
    return in.string();
  }
}
