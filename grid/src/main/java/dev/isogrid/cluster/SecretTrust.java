package dev.isogrid.cluster;

import java.net.Socket;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Trusts the other side if its certificate has one key, that of the cluster's secret. */
final class SecretTrust extends X509ExtendedTrustManager {
  private final byte[] key;

  SecretTrust(PublicKey key) {
    this.key = key.getEncoded();
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (chain.length == 0 || !MessageDigest.isEqual(chain[0].getPublicKey().getEncoded(), key)) {
      throw new CertificateException(
          "it has another secret than this node, or a key store in place of one; give all nodes"
              + " the same secret");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
