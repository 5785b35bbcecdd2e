package dev.isogrid.server.backup;

import java.io.IOException;

/** An archive differs from its checksums, or no backup wrote it. */
public final class DamagedArchiveException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Describes the damage.
   *
   * @param archive its name for the reader of the message
   * @param part the file in the archive
   * @param offset the position in that file, or -1 if unknown
   */
  DamagedArchiveException(String archive, String part, long offset, String found) {
    super(
        "archive can't be restored: file=%s, part=%s%s, found=%s; nothing was changed, get the"
                .formatted(archive, part, offset < 0 ? "" : ", offset=" + offset, found)
            + " archive again or use an older one");
  }
}
