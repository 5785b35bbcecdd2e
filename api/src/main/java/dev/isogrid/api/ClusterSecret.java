package dev.isogrid.api;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A secret that the nodes of a cluster share. It encrypts the connections between nodes with TLS
 * 1.3, and admits only nodes that have it.
 *
 * @param text 16 bytes or more in UTF-8; best 32 random bytes as text, since anyone who can connect
 *     to a node can check guesses
 */
public record ClusterSecret(String text) {
  /** A shorter text is too easy to guess. */
  public static final int BYTES_MIN = 16;

  /** A longer text is the wrong file. */
  public static final int BYTES_MAX = 4096;

  /**
   * Checks the length.
   *
   * @throws InvalidConfigurationException if it is out of its range
   */
  public ClusterSecret {
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    if (length < BYTES_MIN || length > BYTES_MAX) {
      throw new InvalidConfigurationException(
          "secret of the cluster not usable: bytes=%d; give %d to %d bytes, best 32 random ones"
              .formatted(length, BYTES_MIN, BYTES_MAX));
    }
  }

  /**
   * Reads the secret from a file of text in UTF-8; line ends at its end don't count.
   *
   * @throws InvalidConfigurationException if the file can't be read, is no text, or too short or
   *     long
   */
  public static ClusterSecret ofFile(Path file) {
    Objects.requireNonNull(file, "file");
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 3); // with a line end of two bytes, and one more
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new ClusterSecret(text.replaceAll("[\r\n]+$", ""));
    } catch (CharacterCodingException noText) {
      throw refusal(file, "it is no text in UTF-8; put random bytes into it in Base64", noText);
    } catch (IOException failure) {
      throw refusal(file, failure + "; name a file that can be read", failure);
    } catch (InvalidConfigurationException length) {
      throw refusal(file, String.valueOf(length.getMessage()), length);
    }
  }

  private static InvalidConfigurationException refusal(Path file, String reason, Exception cause) {
    InvalidConfigurationException refusal =
        new InvalidConfigurationException(
            "file of the cluster's secret not usable: file=%s, reason=%s".formatted(file, reason));
    refusal.initCause(cause);
    return refusal;
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "ClusterSecret[]";
  }
}
