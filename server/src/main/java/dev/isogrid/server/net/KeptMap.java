package dev.isogrid.server.net;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.FileAccess;
import dev.isogrid.base.ReplacedFile;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Texts by name in a file of a data directory, as an object of JSON. The file is replaced as a
 * whole at each change, so it has one state or the next, whenever the process or the machine stops.
 * For one thread at a time; methods block.
 */
final class KeptMap {
  /** Parses stored texts without the limits for clients' documents. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final ReplacedFile file;

  /**
   * Makes a map in a file, which need not exist.
   *
   * @param file in a directory that exists and belongs to this process
   */
  KeptMap(Path file, FileAccess access) {
    this.file = new ReplacedFile(file, access);
  }

  /**
   * The last written texts; empty if there are none.
   *
   * @throws InvalidRequestException if the file can't be read or parsed; the message names it
   */
  Map<String, String> read() {
    Map<String, String> texts = new TreeMap<>();
    try (JsonParser parser = JSON.createParser(Files.readAllBytes(file.path()))) {
      expect(parser.nextToken() == JsonToken.START_OBJECT);
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        String text = parser.nextTextValue();
        expect(text != null);
        texts.put(name, String.valueOf(text));
      }
      expect(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null);
    } catch (NoSuchFileException _) {
      return texts;
    } catch (IOException failure) {
      throw new InvalidRequestException(
          "kept file can't be read: file=%s, reason=%s; mend or delete it"
              .formatted(file.path(), failure.getMessage()),
          failure);
    }
    return texts;
  }

  private static void expect(boolean holds) throws IOException {
    if (!holds) {
      throw new IOException("not an object of texts");
    }
  }

  /**
   * Replaces everything. After the return, it survives a power failure.
   *
   * @throws FatalGridException if the disk refuses it; the former texts stay, unless only the
   *     directory could not be forced
   */
  void write(Map<String, String> texts) {
    try {
      file.write(StandardCharsets.UTF_8.encode(json(texts)));
    } catch (IOException failure) {
      throw notKept(failure);
    }
  }

  /**
   * Checks that the disk has room for these texts and some more bytes.
   *
   * @throws FatalGridException if it has not
   */
  void probe(Map<String, String> texts, int moreBytes) {
    try {
      file.probe(StandardCharsets.UTF_8.encode(json(texts)).remaining() + moreBytes);
    } catch (IOException failure) {
      throw notKept(failure);
    }
  }

  private static FatalGridException notKept(IOException failure) {
    return new FatalGridException(
        "can't be kept: %s; make room on its disk or see to its permissions, and try again"
            .formatted(failure.getMessage()),
        failure);
  }

  private static String json(Map<String, String> texts) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text).useDefaultPrettyPrinter()) {
      out.writeStartObject();
      for (Map.Entry<String, String> entry : new TreeMap<>(texts).entrySet()) {
        out.writeStringField(entry.getKey(), entry.getValue());
      }
      out.writeEndObject();
    }
    return text.toString();
  }
}
