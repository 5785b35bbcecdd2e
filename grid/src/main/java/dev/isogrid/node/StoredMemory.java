package dev.isogrid.node;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.Memory;
import dev.isogrid.journal.Disk;
import dev.isogrid.journal.FolderDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
    try (Disk disk = FolderDisk.readOnly(folder)) {
      Memory memory = new MemorySlots(disk).read();
      if (memory == null) {
        return "memory of a cluster: nothing yet";
      }
      return "memory of a cluster: node=%s, epoch=%d, members=%d, caches=%d"
          .formatted(
              memory.self(),
              memory.topology().epoch(),
              memory.topology().members().size(),
              memory.topology().caches().size());
    } catch (MalformedMessageException damage) {
      throw new IOException(
          ("memory of the cluster can't be read: file=%s; delete the file to let this node join"
                  + " its cluster without its entries")
              .formatted(damage.getMessage()),
          damage);
    }
  }
}
