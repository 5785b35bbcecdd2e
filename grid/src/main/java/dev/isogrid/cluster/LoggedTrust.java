package dev.isogrid.cluster;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Decides as another one does, and says so when this node refuses one that it called: JGroups would
 * only find nobody there.
 */
final class LoggedTrust extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager deciding;
  private final LossLog refusals;

  LoggedTrust(X509ExtendedTrustManager deciding, LossLog refusals) {
    this.deciding = deciding;
    this.refusals = refusals;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    try {
      deciding.checkServerTrusted(chain, authType, socket);
    } catch (CertificateException refused) {
      add(socket == null ? "unknown" : socket.getRemoteSocketAddress().toString(), chain, refused);
      throw refused;
    }
  }

  private void add(String at, X509Certificate[] chain, CertificateException refused) {
    refusals.add(() ->
        "node of the cluster not trusted: at=%s, certificate=%s, reason=%s; trust it, or find"
                .formatted(
                    at,
                    chain.length == 0 ? "none" : chain[0].getSubjectX500Principal(),
                    refused.getMessage())
            + " out who it is");
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    try {
      deciding.checkServerTrusted(chain, authType, engine);
    } catch (CertificateException refused) {
      String at = engine == null ? "unknown" : engine.getPeerHost() + ":" + engine.getPeerPort();
      add(at, chain, refused);
      throw refused;
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    deciding.checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    deciding.checkClientTrusted(chain, authType, socket);
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    deciding.checkClientTrusted(chain, authType, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    deciding.checkClientTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return deciding.getAcceptedIssuers();
  }
}
