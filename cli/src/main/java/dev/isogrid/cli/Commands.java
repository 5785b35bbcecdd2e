package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All commands. */
final class Commands {
  private Commands() {}

  /** The declarations, by name. Each interpreter has its own. */
  static List<Command> all(Interpreter interpreter) {
    List<Command> all = new ArrayList<>();
    all.addAll(ConnectionCommands.all());
    all.addAll(NavigationCommands.all());
    all.addAll(EntryCommands.all());
    all.addAll(CacheCommands.all());
    all.addAll(CounterCommands.all());
    all.addAll(SchemaCommands.all());
    all.addAll(TaskCommands.all());
    all.addAll(ClusterCommands.all());
    all.addAll(ServerCommands.all());
    all.addAll(WatchCommand.all());
    all.addAll(TransferCommands.all());
    all.addAll(BackupCommands.all());
    all.addAll(ShellCommands.all(interpreter));
    all.sort(Comparator.comparing(command -> command.spec().name()));
    return all;
  }
}
