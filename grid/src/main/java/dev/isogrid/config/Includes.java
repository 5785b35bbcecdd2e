package dev.isogrid.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files that a document of an operator includes by {@code xi:include}. Immutable.
 *
 * @param folder what relative names are below
 * @param file the name of the document, for messages; empty for the outermost one
 * @param depth 0 for the outermost document
 */
record Includes(Path folder, String file, int depth) {
  /** Files that include each other in a row. One that includes itself ends here. */
  private static final int DEPTH_MAX = 8;

  /**
   * The text of a file.
   *
   * @param within what its own includes are relative to
   */
  record Included(String text, Includes within) {}

  /** Begins with the document of a folder. */
  static Includes of(Path folder) {
    return new Includes(folder, "", 0);
  }

  /**
   * Reads a file, or returns null if there is none.
   *
   * @param href its name: a path, or a URI of this machine
   */
  @Nullable Included tryRead(String href, Position position) {
    if (depth == DEPTH_MAX) {
      throw Complaint.tooLarge("files that include each other", DEPTH_MAX, position);
    }
    Path path = path(href, position);
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(Limits.DOCUMENT_SIZE_MAX + 1);
    } catch (NoSuchFileException _) {
      return null;
    } catch (IOException failure) {
      throw Complaint.malformed(
          "included file can't be read: href=%s, reason=%s"
              .formatted(Complaint.shown(href), failure),
          position,
          failure);
    }
    Path parent = path.getParent();
    return new Included(
        Document.decode(bytes),
        new Includes(parent == null ? folder : parent, path.toString(), depth + 1));
  }

  private Path path(String href, Position position) {
    String plain = href.startsWith("file:") ? href.substring("file:".length()) : href;
    try {
      return folder.resolve(plain).normalize();
    } catch (InvalidPathException failure) {
      throw Complaint.malformed(
          "included file has no valid name: href=" + Complaint.shown(href), position, failure);
    }
  }
}
