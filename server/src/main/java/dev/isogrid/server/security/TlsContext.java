package dev.isogrid.server.security;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.base.Scheduler;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import javax.crypto.BadPaddingException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts connections with the present key in the server's files: a change of the files applies to
 * later connections, without a restart. Unusable files leave the last usable ones in force.
 * Thread-safe.
 */
public final class TlsContext implements AutoCloseable {
  private static final System.Logger log = System.getLogger(TlsContext.class.getName());
  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  /** The protocols for clients that use ALPN; other clients don't use it. */
  private static final ApplicationProtocolConfig HTTP_VERSIONS =
      new ApplicationProtocolConfig(
          ApplicationProtocolConfig.Protocol.ALPN,
          ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
          ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
          ApplicationProtocolNames.HTTP_2,
          ApplicationProtocolNames.HTTP_1_1);

  private final TlsSettings settings;
  private final Executor handshakes;
  private final FileWatch watch;

  /** Written by the file watch. */
  private volatile SslContext current;

  /**
   * Reads the files and watches them.
   *
   * @param scheduler also runs the arithmetic of handshakes, which takes milliseconds
   * @throws FatalGridException if a file can't be used; the message names it
   */
  public TlsContext(TlsSettings settings, Scheduler scheduler) {
    this.settings = settings;
    this.handshakes = scheduler::execute;
    this.watch = FileWatch.start(settings.files(), scheduler, this::reload);
    try {
      this.current = load(settings);
    } catch (FatalGridException unusable) {
      watch.close();
      throw unusable;
    }
  }

  /** A handler that encrypts one connection. */
  public SslHandler newHandler(ByteBufAllocator allocator) {
    return current.newHandler(allocator, handshakes);
  }

  private void reload() {
    try {
      current = load(settings);
      log.log(Level.INFO, () -> "TLS files reloaded: files=" + settings.files());
    } catch (FatalGridException unusable) {
      log.log(
          Level.WARNING,
          () -> "TLS files changed, but the former ones stay in force: " + unusable.getMessage());
    }
  }

  /** A function that reads files. */
  @FunctionalInterface
  private interface Reading<T> {
    T read() throws IOException, GeneralSecurityException;
  }

  private static SslContext load(TlsSettings settings) {
    TlsSettings.Trust trust = settings.trust();
    TrustManagerFactory trusted = trust == null ? null : usable(trust, () -> trusted(trust));
    return usable(
        settings.key(),
        () ->
            serverBuilder(settings.key())
                .sslProvider(SslProvider.JDK)
                .protocols(PROTOCOLS)
                .clientAuth(clientAuth(settings.clientCertificates()))
                .trustManager(trusted)
                .applicationProtocolConfig(HTTP_VERSIONS)
                .build());
  }

  /**
   * Reads files.
   *
   * @param files shown in the message of a failure
   */
  private static <T> T usable(Object files, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
      throw new FatalGridException(
          "TLS files can't be used: %s, reason=%s; correct file or password"
              .formatted(files, reason(unusable)),
          unusable);
    }
  }

  private static ClientAuth clientAuth(ClientCertificates wanted) {
    return switch (wanted) {
      case NONE -> ClientAuth.NONE;
      case WANTED -> ClientAuth.OPTIONAL;
      case NEEDED -> ClientAuth.REQUIRE;
    };
  }

  private static SslContextBuilder serverBuilder(TlsSettings.Key key)
      throws IOException, GeneralSecurityException {
    return switch (key) {
      case TlsSettings.KeyStoreFile(Path file, String password, @Nullable String alias) ->
          SslContextBuilder.forServer(keys(file, password, alias));
      case TlsSettings.PemFiles(Path certificates, Path keyFile, @Nullable String password) -> {
        try (InputStream chain = Files.newInputStream(certificates);
            InputStream secret = Files.newInputStream(keyFile)) {
          yield SslContextBuilder.forServer(chain, secret, password);
        }
      }
    };
  }

  private static KeyManagerFactory keys(Path file, String password, @Nullable String alias)
      throws IOException, GeneralSecurityException {
    char[] secret = password.toCharArray();
    KeyStore store = keyStore(file, secret);
    if (alias != null) {
      store = only(store, alias, secret);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, secret);
    return keys;
  }

  private static KeyStore only(KeyStore store, String alias, char[] secret)
      throws IOException, GeneralSecurityException {
    if (!store.isKeyEntry(alias)) {
      throw new IllegalArgumentException("no key of that alias: alias=" + alias);
    }
    KeyStore one = KeyStore.getInstance("PKCS12");
    one.load(null, null);
    one.setKeyEntry(alias, store.getKey(alias, secret), secret, store.getCertificateChain(alias));
    return one;
  }

  private static KeyStore keyStore(Path file, char[] secret)
      throws IOException, GeneralSecurityException {
    if (!Files.isReadable(file)) {
      throw new NoSuchFileException(file.toString(), null, "no such file, or no permission");
    }
    return KeyStore.getInstance(file.toFile(), secret);
  }

  private static TrustManagerFactory trusted(TlsSettings.Trust trust)
      throws IOException, GeneralSecurityException {
    String password = trust.password();
    KeyStore store =
        password == null ? ofPem(trust.file()) : keyStore(trust.file(), password.toCharArray());
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    return managers;
  }

  private static KeyStore ofPem(Path file) throws IOException, GeneralSecurityException {
    Collection<? extends Certificate> certificates;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
    }
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("no certificate in it: file=" + file);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    int number = 0;
    for (Certificate certificate : certificates) {
      store.setCertificateEntry("trusted-" + number++, certificate);
    }
    return store;
  }

  private static String reason(Exception failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof NoSuchFileException missing) {
      return "no such file: " + missing.getFile();
    }
    if (cause instanceof UnrecoverableKeyException || cause instanceof BadPaddingException) {
      return "the password does not fit";
    }
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  /** Stops watching. Existing connections continue. */
  @Override
  public void close() {
    watch.close();
  }
}
