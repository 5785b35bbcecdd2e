package dev.isogrid.server.backup;

import java.io.IOException;
import java.nio.file.Path;

/** An archive differs from its checksums, or no backup wrote it. */
public final class DamagedArchiveException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Describes the damage.
   *
   * @param part the file in the archive
   * @param offset the position in that file, or -1 if unknown
   */
  DamagedArchiveException(Path archive, String part, long offset, String found) {
    super(
        "archive can't be restored: file=%s, part=%s%s, found=%s; nothing was changed, get the"
                .formatted(archive, part, offset < 0 ? "" : ", offset=" + offset, found)
            + " archive again or use an older one");
  }
}
