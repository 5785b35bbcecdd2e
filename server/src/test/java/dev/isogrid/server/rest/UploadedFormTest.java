package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.backup.BackupDesk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UploadedFormTest {
  private static final String TYPE = "multipart/form-data; boundary=\"b-1\"";
  private static final String HEAD =
      "--b-1\r\nContent-Disposition: form-data; name=\"backup\"; filename=\"x\"\r\n\r\n";

  @TempDir private Path folder;

  private BackupDesk.ExtractedArchive extract(byte[] form) throws IOException {
    Path file = Files.write(folder.resolve("form"), form);
    return UploadedForm.extraction(TYPE).extract(file);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void archive_thatCannotBeWritten_namesTheReasonButNoFileOfTheServer() throws IOException {
    Files.createDirectory(folder.resolve("form.zip.part"));
    byte[] form = ascii(HEAD + "zip\r\n--b-1--\r\n");
    String message =
        String.valueOf(assertThrows(IOException.class, () -> extract(form)).getMessage());
    assertTrue(message.contains("formBytes=" + form.length), message);
    assertTrue(message.contains("disk of the server's data folder"), message);
    assertFalse(message.contains(folder.toString()), message);
  }

  /** Bytes of which many look like the beginning of a boundary. */
  private static byte[] content(Random random, int length) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] boundary = ascii("\r\n--b-1");
    while (content.size() < length) {
      content.write(boundary, 0, random.nextInt(boundary.length));
      if (random.nextBoolean()) {
        content.write(128 + random.nextInt(128)); // ends no boundary
      }
    }
    return content.toByteArray();
  }

  @Test
  void anyContent_isExtractedAsItIs() throws IOException {
    Random random = new Random(7);
    for (int length : new int[] {0, 1, 100, 65_535, 65_536, 65_537, 200_000}) {
      byte[] content = content(random, length);
      ByteArrayOutputStream form = new ByteArrayOutputStream();
      form.writeBytes(ascii(HEAD));
      form.writeBytes(content);
      form.writeBytes(ascii("\r\n--b-1--\r\n"));
      try (BackupDesk.ExtractedArchive archive = extract(form.toByteArray())) {
        assertArrayEquals(content, Files.readAllBytes(archive.file()), "length " + length);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--other\r\n",
        HEAD + "without an end",
        "--b-1\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n--b-1--\r\n",
        "--b-1--\r\n",
        HEAD
            + "x\r\n--b-1\r\nContent-Disposition: form-data; name=\"resources\"\r\n\r\n[]"
            + "\r\n--b-1--\r\n"
      })
  void form_thatIsNone_isRefusedAndLeavesNoFile(String form) throws IOException {
    assertThrows(InvalidRequestException.class, () -> extract(ascii(form)));
    try (var files = Files.list(folder)) {
      assertTrue(files.allMatch(file -> file.endsWith("form")));
    }
  }
}
