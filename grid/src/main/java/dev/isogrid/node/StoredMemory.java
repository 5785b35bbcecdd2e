package dev.isogrid.node;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.Memory;
import dev.isogrid.journal.Disk;
import dev.isogrid.journal.FolderDisk;
import dev.isogrid.topology.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node's memory of its cluster on its disk, for operators. Methods block. */
public final class StoredMemory {
  private StoredMemory() {}

  /** Returns whether a folder has a node's memory of its cluster. */
  public static boolean isIn(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Disk disk = FolderDisk.readOnly(folder)) {
      return disk.names().stream()
          .anyMatch(name ->
              name.startsWith(MemorySlots.SLOT_START) || name.startsWith(MemorySlots.FILE_START));
    }
  }

  /**
   * Reads it, and describes it in a line.
   *
   * @throws IOException if it can't be read; the message has the file
   */
  public static String describe(Path folder) throws IOException {
    Memory memory = read(folder);
    return memory == null
        ? "memory of a cluster: nothing yet"
        : "memory of a cluster: node=%s, epoch=%d, members=%d, caches=%d"
            .formatted(
                memory.self(),
                memory.topology().epoch(),
                memory.topology().members().size(),
                memory.topology().caches().size());
  }

  private static @Nullable Memory read(Path folder) throws IOException {
    try (Disk disk = FolderDisk.readOnly(folder)) {
      return new MemorySlots(disk).read();
    } catch (MalformedMessageException damage) {
      throw new IOException(
          ("memory of the cluster can't be read: file=%s; delete the file to let this node join"
                  + " its cluster without its entries")
              .formatted(damage.getMessage()),
          damage);
    }
  }

  /**
   * Checks that a node without a cluster may use a data folder. The folder of a cluster that had
   * other members holds only some of the entries. A node that served them alone would show the
   * others as missing. Its writes would make its copies differ from those of the other members.
   *
   * @throws InvalidRequestException if the folder is that of such a cluster, or its memory can't be
   *     read; the message says what to do
   */
  static void checkAlone(Path dataFolder) {
    Path folder = dataFolder.toAbsolutePath().resolve("cluster");
    List<String> others;
    try {
      others = isIn(folder) ? others(folder) : List.of();
    } catch (IOException failure) {
      throw new InvalidRequestException(String.valueOf(failure.getMessage()), failure);
    }
    if (!others.isEmpty()) {
      throw new InvalidRequestException(
          ("data folder of a member of a cluster, which can't run without the cluster: folder=%s,"
                  + " other members=%s; start it with the options of its cluster, and with --found"
                  + " if the others are gone, or move the folders cluster and stores away")
              .formatted(dataFolder, others));
    }
  }

  private static List<String> others(Path folder) throws IOException {
    Memory memory = read(folder);
    return memory == null
        ? List.of()
        : memory.topology().members().stream()
            .filter(member -> !member.id().equals(memory.self()))
            .map(Member::profile)
            .map(profile -> profile.name())
            .toList();
  }
}
