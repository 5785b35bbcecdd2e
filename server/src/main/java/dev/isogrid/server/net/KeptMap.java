package dev.isogrid.server.net;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * Texts by name in a file of a data directory, as an object of JSON. The file is replaced as a
 * whole at each change, so it holds one state or the next, whenever the process or the machine
 * stops. For one thread at a time; methods block.
 */
final class KeptMap {
  private static final JsonFactory JSON = new JsonFactory();

  private final Path file;

  /**
   * Names the file; it need not exist.
   *
   * @param file in a directory that exists and belongs to this process
   */
  KeptMap(Path file) {
    this.file = file;
  }

  /**
   * What was written last; empty if nothing was.
   *
   * @throws InvalidRequestException if the file can't be read or understood; the message names it
   */
  Map<String, String> read() {
    Map<String, String> texts = new TreeMap<>();
    try (JsonParser parser = JSON.createParser(Files.readAllBytes(file))) {
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
              .formatted(file, failure.getMessage()),
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
   * Replaces everything. When this returns it outlives a loss of power.
   *
   * @throws FatalGridException if the disk refuses it; what was there before stays
   */
  void write(Map<String, String> texts) {
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    try {
      try (FileChannel channel =
          FileChannel.open(
              draft,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(json(texts));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw new FatalGridException(
          "can't be kept: file=%s, reason=%s; look at the disk"
              .formatted(file, failure.getMessage()),
          failure);
    }
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
