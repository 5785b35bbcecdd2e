package dev.isogrid.server;

import dev.isogrid.journal.DamagedJournalException;
import dev.isogrid.journal.StoredFiles;
import dev.isogrid.node.StoredMemory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Maintains the stores of caches while no server uses them: {@code isogrid data}. */
public final class DataCommand {
  private static final String USAGE =
      """
      Usage: isogrid data COMMAND DIR

      Works on the store of one cache, a folder below that of the server's --data: stores/NAME.

        check DIR    read all records; exit code 1 if the store is damaged. DIR can also be the
                     folder with the memory of the cluster, cluster below that of --data
        repair DIR   keep all records that can be read; the damaged files go to DIR@damaged-1
        export DIR   write the entries to the output, one JSON object per line; keys and values are
                     Base64; all entries must fit the heap
      """;

  private static final int EXIT_DAMAGED = 1;

  private final PrintStream out;
  private final PrintStream err;

  DataCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the command and ends the process. */
  public static void main(String[] args) {
    System.exit(new DataCommand(System.out, System.err).run(args));
  }

  /** Runs the command; returns the exit code. */
  int run(String... args) {
    if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
      out.print(USAGE);
      return 0;
    }
    boolean isKnown = args.length == 2 && List.of("check", "repair", "export").contains(args[0]);
    if (!isKnown) {
      err.println(
          "isogrid: unknown command: data %s; see isogrid data --help"
              .formatted(String.join(" ", args)));
      return Main.EXIT_USAGE;
    }
    try {
      Path folder = Path.of(args[1]);
      if (args[0].equals("check") && StoredMemory.isIn(folder)) {
        out.println("no damage: " + StoredMemory.describe(folder));
      } else {
        execute(args[0], new StoredFiles(folder));
      }
      return 0;
    } catch (IOException failure) {
      err.println("isogrid: " + failure.getMessage() + advice(failure, args[0], args[1]));
      return EXIT_DAMAGED;
    }
  }

  private static String advice(IOException failure, String command, String folder) {
    return failure instanceof DamagedJournalException && !command.equals("repair")
        ? "; `isogrid data repair %s` keeps what can be read".formatted(folder)
        : "";
  }

  private void execute(String command, StoredFiles files) throws IOException {
    switch (command) {
      case "check" -> {
        StoredFiles.Checked checked = files.check();
        out.println(
            "no damage: cache=%s, puts=%d, removals=%d"
                .formatted(checked.cache(), checked.puts(), checked.removals()));
      }
      case "repair" -> {
        StoredFiles.Repaired repaired = files.repair();
        out.println(
            ("repaired: records=%d, lost bytes=%d, files before=%s; entries of lost records have"
                    + " the values before, or are gone")
                .formatted(repaired.records(), repaired.lostBytes(), repaired.damaged()));
      }
      default -> err.println("exported: entries=" + files.export(out));
    }
  }
}
