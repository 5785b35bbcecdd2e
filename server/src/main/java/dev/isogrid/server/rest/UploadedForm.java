package dev.isogrid.server.rest;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.backup.BackupDesk;
import dev.isogrid.server.backup.BackupOrder;
import dev.isogrid.server.backup.BackupSelection;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Extracts the parts of a file with the body of a form, with a buffer of fixed size: the part
 * {@code backup} is an archive, the part {@code resources} selects its resources.
 */
final class UploadedForm {
  /** The limit of a list of resources, as in other requests. */
  private static final int TEXT_BYTES_MAX = 1 << 20;

  private UploadedForm() {}

  /** The extraction of the archive from a body of a type: a form, or the archive itself. */
  static BackupDesk.Extraction extraction(String contentType) {
    return FormReader.isForm(contentType)
        ? file -> extract(file, FormReader.boundary(contentType))
        : file ->
            new BackupDesk.ExtractedArchive(
                file, "body of the request", BackupSelection.all(), false);
  }

  private static BackupDesk.ExtractedArchive extract(Path file, String boundary)
      throws IOException {
    Path archive = file.resolveSibling(file.getFileName() + ".zip.part");
    boolean isDone = false;
    try (InputStream in =
        new BufferedInputStream(Files.newInputStream(file), FormReader.BUFFER_BYTES)) {
      BackupDesk.ExtractedArchive extracted = read(new FormReader(in, boundary), archive);
      isDone = true;
      return extracted;
    } catch (IOException failure) {
      throw new IOException(
          ("archive can't be extracted from the form: formBytes=%d, reason=%s; make room on the"
                  + " disk of the server's data folder, for twice the archive, and send it again")
              .formatted(Files.size(file), DiskFailure.reason(failure)),
          failure);
    } finally {
      if (!isDone) {
        Files.deleteIfExists(archive);
      }
    }
  }

  /** Copies the archive into a file. */
  private static BackupDesk.ExtractedArchive read(FormReader form, Path archive)
      throws IOException {
    BackupSelection selection = BackupSelection.all();
    String shown = null;
    for (FormReader.Head head = form.next(); head != null; head = form.next()) {
      if ("backup".equals(head.name())) {
        try (OutputStream out = Files.newOutputStream(archive)) {
          form.copy(out, Long.MAX_VALUE);
        }
        shown = head.fileName() == null ? "part backup of the form" : head.fileName();
      } else if ("resources".equals(head.name())) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        form.copy(text, TEXT_BYTES_MAX);
        selection = BackupOrder.ofResources(text.toByteArray());
      } else {
        form.copy(OutputStream.nullOutputStream(), Long.MAX_VALUE);
      }
    }
    if (shown == null) {
      throw new InvalidRequestException(
          "form can't be read: expected a part of the name backup; nothing was changed");
    }
    return new BackupDesk.ExtractedArchive(archive, shown, selection, true);
  }
}
