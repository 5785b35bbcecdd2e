package dev.isogrid.cluster;

import dev.isogrid.api.FatalGridException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Reads keys and certificates. */
final class TlsContext {
  /** Far more than a chain of certificates has; what is longer is the wrong file. */
  private static final long FILE_BYTES_MAX = 16 << 20;

  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "EdDSA");

  /** Only in memory. */
  private static final char[] NO_PASSWORD = {};

  private TlsContext() {}

  /**
   * Reads or derives the keys of a node's connections.
   *
   * @param refusals is told when this node refuses one that it calls
   * @throws FatalGridException if a file can't be read or has not what is needed
   */
  static SSLContext of(TransportTls tls, LossLog refusals) {
    try {
      return switch (tls) {
        case TransportTls.Keys keys ->
            context(
                read(keys.own(), true),
                passwordOf(keys.own()),
                trustManagers(read(keys.trusted(), false)),
                refusals);
        case TransportTls.Secret secret -> ofSecret(SecretKeys.of(secret.text()), refusals);
      };
    } catch (GeneralSecurityException | IOException failure) {
      throw refusal(tls.toString(), failure.toString(), failure);
    }
  }

  private static SSLContext ofSecret(SecretKeys.Pair pair, LossLog refusals)
      throws GeneralSecurityException, IOException {
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, NO_PASSWORD);
    Certificate[] chain = {pair.certificate()};
    own.setKeyEntry("node", pair.keys().getPrivate(), NO_PASSWORD, chain);
    TrustManager[] same = {new SecretTrust(pair.keys().getPublic())};
    return context(own, NO_PASSWORD, same, refusals);
  }

  private static SSLContext context(
      KeyStore own, char[] password, TrustManager[] trusted, LossLog refusals)
      throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), logged(trusted, refusals), null);
    return context;
  }

  private static TrustManager[] trustManagers(KeyStore trusted) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory.getTrustManagers();
  }

  private static TrustManager[] logged(TrustManager[] deciding, LossLog refusals) {
    return Arrays.stream(deciding)
        .map(each ->
            each instanceof X509ExtendedTrustManager known
                ? new LoggedTrust(known, refusals)
                : each)
        .toArray(TrustManager[]::new);
  }

  private static char[] passwordOf(TlsKeys keys) {
    return switch (keys) {
      case TlsKeys.StoreFile store -> store.password().toCharArray();
      case TlsKeys.PemFiles _ -> NO_PASSWORD;
    };
  }

  private static KeyStore read(TlsKeys keys, boolean withKey) {
    try {
      KeyStore store =
          switch (keys) {
            case TlsKeys.StoreFile file -> {
              checkSize(file.file());
              yield KeyStore.getInstance(file.file().toFile(), passwordOf(file));
            }
            case TlsKeys.PemFiles files -> read(files);
          };
      if (!has(store, withKey)) {
        throw refusal(keys.toString(), withKey ? "no private key in it" : "it is empty", null);
      }
      return store;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException failure) {
      throw refusal(keys.toString(), failure.toString(), failure);
    }
  }

  private static boolean has(KeyStore store, boolean key) throws GeneralSecurityException {
    for (String alias : Collections.list(store.aliases())) {
      if (!key || store.isKeyEntry(alias)) {
        return true;
      }
    }
    return false;
  }

  private static FatalGridException refusal(
      String keys, String reason, @Nullable Exception failure) {
    return new FatalGridException(
        "keys of the cluster not usable: keys=%s, reason=%s; correct the files or their names"
            .formatted(keys, reason),
        failure);
  }

  private static KeyStore read(TlsKeys.PemFiles files)
      throws IOException, GeneralSecurityException {
    checkSize(files.certificates());
    Certificate[] chain =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(Files.readAllBytes(files.certificates())))
            .toArray(Certificate[]::new);
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    Path key = files.privateKey();
    if (key != null) {
      store.setKeyEntry("node", privateKey(key), NO_PASSWORD, chain);
    } else {
      for (int i = 0; i < chain.length; i++) {
        store.setCertificateEntry("trusted" + i, chain[i]);
      }
    }
    return store;
  }

  private static void checkSize(Path file) throws IOException {
    if (Files.size(file) > FILE_BYTES_MAX) {
      throw new IOException("too long for a file of keys: bytesMax=" + FILE_BYTES_MAX);
    }
  }

  private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
    checkSize(file);
    Matcher pem = PRIVATE_KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
    if (!pem.find()) {
      throw new InvalidKeySpecException("no BEGIN PRIVATE KEY in " + file);
    }
    PKCS8EncodedKeySpec encoded =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
    InvalidKeySpecException last = new InvalidKeySpecException("no known algorithm");
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException otherAlgorithm) {
        last = otherAlgorithm;
      }
    }
    throw last;
  }
}
