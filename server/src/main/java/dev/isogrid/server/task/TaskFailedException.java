package dev.isogrid.server.task;

/** A deployed task threw an exception, which is the cause. */
public final class TaskFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Creates a failure.
   *
   * @param task the task's name
   * @param node the node that ran it
   */
  TaskFailedException(String task, String node, Throwable cause) {
    super("task failed: task=%s, node=%s, %s".formatted(task, node, cause), cause);
  }
}
