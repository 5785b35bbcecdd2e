package dev.isogrid.server.rest;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.config.ReadContext;
import dev.isogrid.wire.MediaTypes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the form of a request that compares two configurations of caches. Pure functions. */
final class ComparedForm {
  /** The configurations of a form. */
  private static final int COUNT = 2;

  private ComparedForm() {}

  /**
   * Reads the two configurations in the body of a request. The names of the fields are free.
   *
   * @param context the permitted references of the configurations; their stores may be anywhere
   * @throws RestProblem if the body is no form
   * @throws InvalidRequestException if the form has not two parts, or one of them is no
   *     configuration; the message names that part
   */
  static List<NamedCacheConfig> read(AdminRequest request, ReadContext context) {
    String contentType = request.contentType();
    if (contentType == null || !FormReader.isForm(contentType)) {
      throw RestProblem.badRequest(
          "two configurations expected: Content-Type=%s; send multipart/form-data with two parts"
              .formatted(contentType));
    }
    List<NamedCacheConfig> read = new ArrayList<>();
    for (Part part : parts(request.body(), FormReader.boundary(contentType))) {
      read.add(read(part, read.size() + 1, context.withFolders()));
    }
    return read;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(@Nullable String contentType, byte[] content) {}

  private static List<Part> parts(byte[] body, String boundary) {
    FormReader form = new FormReader(new ByteArrayInputStream(body), boundary);
    List<Part> parts = new ArrayList<>();
    try {
      for (FormReader.Head head = form.next(); head != null; head = form.next()) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        form.copy(content, body.length);
        parts.add(new Part(head.contentType(), content.toByteArray()));
        if (parts.size() > COUNT) {
          break;
        }
      }
    } catch (IOException impossible) { // the bytes are in memory
      throw new UncheckedIOException(impossible);
    }
    if (parts.size() != COUNT) {
      throw new InvalidRequestException(
          "two configurations expected: parts=%s; send a form with two parts"
              .formatted(parts.size() > COUNT ? "more than " + COUNT : parts.size()));
    }
    return parts;
  }

  private static NamedCacheConfig read(Part part, int number, ReadContext context) {
    try {
      return CacheDocument.read(part.content(), format(part.contentType()), context);
    } catch (InvalidRequestException refused) {
      throw new InvalidRequestException(
          "part %d of the form: %s".formatted(number, refused.getMessage()), refused);
    }
  }

  /** The format of a part, or null to detect it: clients name files by types of their own. */
  private static @Nullable DocumentFormat format(@Nullable String contentType) {
    if (contentType == null) {
      return null;
    }
    String type = MediaTypeText.essence(contentType);
    DocumentFormat format = DocumentFormat.ofMediaType(type);
    boolean isAny =
        type.equals("*/*")
            || type.equals(MediaTypes.TEXT_PLAIN)
            || type.equals("application/octet-stream");
    if (format == null && !isAny) {
      throw new InvalidRequestException(
          "configuration of unknown type: type=%s; use application/json, -/xml or -/yaml"
              .formatted(type));
    }
    return format;
  }
}
