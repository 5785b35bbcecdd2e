package dev.isogrid.bench.persistence;

import dev.isogrid.bench.run.RealTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Appends a group of records to a file and forces it, repeatedly: the limit of the disk. */
final class GroupCommits {
  /** The most groups of a run; a run that writes them all ends early. */
  private static final int GROUPS_MAX = 1_000_000;

  private GroupCommits() {}

  /**
   * Measures the forces of a disk.
   *
   * @param folder on the disk
   * @param records the records of a group
   * @param recordBytes the size of a record
   * @param endNanos the time of the end
   * @return forces per second
   */
  static double perSecond(Path folder, int records, int recordBytes, long endNanos)
      throws IOException {
    Path file = folder.resolve("commits");
    ByteBuffer group = ByteBuffer.allocateDirect(Math.multiplyExact(records, recordBytes));
    long begun = RealTime.nanos();
    int count = 0;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (count < GROUPS_MAX && RealTime.nanos() - endNanos < 0) {
        group.clear();
        while (group.hasRemaining()) {
          channel.write(group);
        }
        channel.force(false);
        count++;
      }
    }
    double seconds = RealTime.secondsSince(begun);
    Files.delete(file);
    return count / seconds;
  }
}
