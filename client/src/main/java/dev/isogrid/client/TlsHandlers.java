package dev.isogrid.client;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes the handlers that encrypt connections. Thread-safe. */
final class TlsHandlers {
  private final TlsConfig config;
  private final SslContext context;
  private final int timeoutMillis;

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException if they can't be read
   */
  TlsHandlers(TlsConfig config, int timeoutMillis) {
    this.config = config;
    this.timeoutMillis = timeoutMillis;
    SslContextBuilder builder = SslContextBuilder.forClient();
    if (!config.checkServerName()) {
      builder.endpointIdentificationAlgorithm(null);
    }
    try {
      Path trust = config.trustStore();
      if (trust != null) {
        trust(builder, trust, config.trustStorePassword());
      }
      Path key = config.keyStore();
      if (key != null) {
        KeyManagerFactory keys =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store(key, config.keyStorePassword()), chars(config.keyStorePassword()));
        builder.keyManager(keys);
      }
      context = builder.build();
    } catch (IOException | GeneralSecurityException cause) {
      throw new IllegalArgumentException(
          "TLS can't be set up: %s; %s".formatted(config, cause.getMessage()), cause);
    }
  }

  private static void trust(SslContextBuilder builder, Path file, @Nullable String password)
      throws IOException, GeneralSecurityException {
    String name = String.valueOf(file.getFileName());
    if (name.endsWith(".pem") || name.endsWith(".crt")) {
      builder.trustManager(file.toFile());
      return;
    }
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(store(file, password));
    builder.trustManager(trusted);
  }

  private static KeyStore store(Path file, @Nullable String password)
      throws IOException, GeneralSecurityException {
    File read = file.toFile();
    return KeyStore.getInstance(read, chars(password));
  }

  private static char @Nullable [] chars(@Nullable String password) {
    return password == null ? null : password.toCharArray();
  }

  /** A handler for a connection to a server. */
  SslHandler handler(Channel channel, ServerAddress address) throws SSLException {
    String name = config.serverName();
    SslHandler handler =
        context.newHandler(channel.alloc(), name == null ? address.host() : name, address.port());
    handler.setHandshakeTimeoutMillis(timeoutMillis);
    return handler;
  }
}
