package dev.isogrid.server.security;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.base.Env;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A fuzz target for files with keys, certificates or users. The first byte selects the kind of
 * file. A server either uses the file, or refuses it with a message that names it.
 */
public final class PemFuzz {
  private static final long NOW_MILLIS = 1_800_000_000_000L;
  private static final String PASSWORD = "password";
  private static final int KINDS = 9;

  private static final Env ENV =
      new Env(
          () -> NOW_MILLIS * 1_000_000,
          () -> NOW_MILLIS,
          new SplittableRandom(1),
          new SameThreadScheduler());

  /** A certificate of the key below, which no client trusts. */
  private static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIBfzCCASWgAwIBAgIUYx8qzdPgtwVL9ZVYirlunRVKFpAwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzA0NDI0NFoYDzIxMjYxMDMw
      MDQ0MjQ0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAAQHYHr6cGDJXCP37QJSBjX+RMnI0sNrCoQwtkRu/AopE4hjmO+9/OK4
      V3YiZDjkKRZ+o2k8Ue7qYhfSFS3EZxblo1MwUTAdBgNVHQ4EFgQUXDhNS8jw2fG1
      cBKBfog7e5uRCPIwHwYDVR0jBBgwFoAUXDhNS8jw2fG1cBKBfog7e5uRCPIwDwYD
      VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiA+3RyUEoN1b9GAZBzuQdl6
      d8LSIfBSbYiBDnsMqCIZnQIhAOw3qNLgZwB+KNTA1Df9ntFSLU2ewOhIgVC25Kdz
      dQWh
      -----END CERTIFICATE-----
      """;

  private static final String KEY =
      """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgc76yOwhXKR3IAz+6
      YTW1IrTOsrE9VyjSBrxOCv1sMeehRANCAAQHYHr6cGDJXCP37QJSBjX+RMnI0sNr
      CoQwtkRu/AopE4hjmO+9/OK4V3YiZDjkKRZ+o2k8Ue7qYhfSFS3EZxbl
      -----END PRIVATE KEY-----
      """;

  private static final Path FOLDER = newFolder();
  private static final Path FUZZED = FOLDER.resolve(UserFile.NAME);
  private static final Path VALID_CERTIFICATE = write(FOLDER.resolve("cert"), CERTIFICATE);
  private static final Path VALID_KEY = write(FOLDER.resolve("key"), KEY);
  private static final TlsSettings.Key VALID =
      new TlsSettings.PemFiles(VALID_CERTIFICATE, VALID_KEY, null);

  private PemFuzz() {}

  /** Lets a server read one file. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] content = Arrays.copyOfRange(input, 1, input.length);
    String text = new String(content, StandardCharsets.ISO_8859_1);
    write(FUZZED, text);
    try {
      read((input[0] & 0xFF) % KINDS);
    } catch (FatalGridException refused) {
      String message = String.valueOf(refused.getMessage());
      require(message.contains(FUZZED.toString()), "file not named: " + message);
      boolean isQuoted = text.contains("null"); // messages may quote a file
      require(isQuoted || !message.contains("reason=null"), "no reason: " + message);
    }
  }

  private static Path newFolder() {
    try {
      return Files.createTempDirectory("isogrid-pem");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Path write(Path file, String latin) {
    try {
      return Files.writeString(file, latin, StandardCharsets.ISO_8859_1);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void read(int kind) {
    switch (kind) {
      case 0 -> useTls(new TlsSettings.PemFiles(FUZZED, VALID_KEY, null), null);
      case 1 -> useTls(new TlsSettings.PemFiles(VALID_CERTIFICATE, FUZZED, null), null);
      case 2 -> useTls(new TlsSettings.PemFiles(VALID_CERTIFICATE, FUZZED, PASSWORD), null);
      case 3 -> useTls(new TlsSettings.KeyStoreFile(FUZZED, PASSWORD, null), null);
      case 4 -> useTls(new TlsSettings.KeyStoreFile(FUZZED, PASSWORD, "server"), null);
      case 5 -> useTls(VALID, new TlsSettings.Trust(FUZZED, null));
      case 6 -> useTls(VALID, new TlsSettings.Trust(FUZZED, PASSWORD));
      case 7 -> {
        TokenSettings settings =
            new TokenSettings(FUZZED, null, null, null, null, TokenSettings.Claims.USUAL);
        require(new TokenVerifier(settings, ENV.epochClock()) != null, "no verifier");
      }
      default -> require(new UserFile(FOLDER).content().users() != null, "no users");
    }
  }

  private static void useTls(TlsSettings.Key key, TlsSettings.@Nullable Trust trust) {
    TlsSettings settings = new TlsSettings(key, trust, ClientCertificates.WANTED);
    try (TlsContext context = new TlsContext(settings, ENV.scheduler())) {
      SslHandler handler = context.newHandler(UnpooledByteBufAllocator.DEFAULT);
      require(!handler.engine().getUseClientMode(), "no server");
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
