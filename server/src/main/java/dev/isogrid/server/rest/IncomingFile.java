package dev.isogrid.server.rest;

import dev.isogrid.server.backup.BackupDesk;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** The body of a request that is written to a file. For one thread at a time, which may block. */
final class IncomingFile {
  private static final System.Logger log = System.getLogger(IncomingFile.class.getName());

  private final BackupDesk.Upload upload;

  /** The reason why the body can't be written, or null. */
  private @Nullable String failure;

  /** Whether the file was deleted. A later upload may have a file of the same name. */
  private boolean isDropped;

  IncomingFile(BackupDesk.Upload upload) {
    this.upload = upload;
  }

  /** Appends a piece, and releases it. After a failure it deletes the file and skips all pieces. */
  void add(ByteBuf piece) {
    try {
      if (failure == null) {
        upload.file().write(piece.nioBuffer());
      }
    } catch (IOException refused) {
      failure =
          ("archive can't be kept: writtenBytes=%d, reason=%s; make room on the disk of the"
                  + " server's data folder, for twice the archive if it is part of a form, and"
                  + " send it again")
              .formatted(upload.file().written(), DiskFailure.reason(refused));
      DiskFailure.log(upload.file().draft(), refused);
      drop();
    } finally {
      piece.release();
    }
  }

  /** The reason why a piece could not be written, or null. */
  @Nullable String failure() {
    return failure;
  }

  /** Deletes the file. Dropping it twice is harmless. */
  void drop() {
    if (isDropped) {
      return;
    }
    isDropped = true;
    try {
      upload.close();
    } catch (IOException refused) {
      log.log(
          Level.WARNING,
          "upload can't be deleted: file=%s; delete it".formatted(upload.file().draft()),
          refused);
    }
  }
}
