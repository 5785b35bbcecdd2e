package dev.isogrid.cluster;

import dev.isogrid.base.Env;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.SocketFactory;

/** Makes the sockets of a cluster whose connections are secured. */
final class TlsSockets extends ServerSocketFactory {
  /**
   * A connection on which nothing came for so long is closed, and opened again when there is
   * something to send: each carries a heartbeat every two seconds if the other side lives.
   */
  static final int IDLE_MILLIS_MAX = 20_000;

  private static final String[] PROTOCOLS = {"TLSv1.3"};

  private final Env env;
  private final SSLSocketFactory sockets;
  private final LossLog refusals;

  private TlsSockets(Env env, SSLSocketFactory sockets, LossLog refusals) {
    this.env = env;
    this.sockets = sockets;
    this.refusals = refusals;
  }

  /**
   * Sockets for JGroups.
   *
   * @param refusals gets the connections that were refused
   */
  static SocketFactory of(TransportTls tls, Env env, LossLog refusals) {
    SSLContext context = TlsContext.of(tls, refusals);
    SSLSocketFactory sockets = context.getSocketFactory();
    DefaultSocketFactory factory =
        new DefaultSocketFactory(sockets, new TlsSockets(env, sockets, refusals));
    factory.setSocketConfigurator(TlsSockets::configure);
    return factory;
  }

  private static SSLParameters parameters() {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(PROTOCOLS);
    return parameters;
  }

  /** Prepares a socket to another node. */
  private static void configure(Socket socket) {
    ((SSLSocket) socket).setSSLParameters(parameters());
    try {
      socket.setSoTimeout(IDLE_MILLIS_MAX);
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ServerSocket createServerSocket() throws IOException {
    SSLParameters parameters = parameters();
    parameters.setNeedClientAuth(true);
    return new TlsServerSocket(env, sockets, parameters, refusals);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return createServerSocket(port, 0);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) throws IOException {
    return bound(new InetSocketAddress(port), backlog);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address)
      throws IOException {
    return bound(new InetSocketAddress(address, port), backlog);
  }

  private ServerSocket bound(InetSocketAddress address, int backlog) throws IOException {
    ServerSocket socket = createServerSocket();
    socket.bind(address, backlog);
    return socket;
  }
}
