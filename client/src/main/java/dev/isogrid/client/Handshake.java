package dev.isogrid.client;

import dev.isogrid.wire.Statuses;

/**
 * The steps before a connection's first request: the login, and the agreement on a version of the
 * protocol. Belongs to the connection's event loop.
 */
final class Handshake {
  private final Connection connection;
  private final ServerLink link;
  private boolean isLoggedIn;
  private boolean isAgreed;

  Handshake(Connection connection) {
    this.connection = connection;
    this.link = connection.link();
    this.isLoggedIn = link.router().config().sasl() == null;
    connection.version(link.versionFirst());
  }

  /**
   * Takes the next step. A server accepts a ping without login, so versions can be tried before it.
   */
  void goOn() {
    if (!isLoggedIn && (isAgreed || !link.triesVersions())) {
      logIn();
    } else if (!isAgreed) {
      ping();
    } else {
      connection.ready();
    }
  }

  private void logIn() {
    SaslConfig sasl = link.router().config().sasl();
    if (sasl == null) {
      return;
    }
    try {
      SaslExchange exchange = SaslExchange.of(sasl);
      authenticate(sasl.mechanism(), exchange, exchange.first());
    } catch (RuntimeException cause) { // the user's supplier of a secret may throw anything
      connection.fail(new TransportException("no login: server=" + link.address(), cause));
    }
  }

  private void authenticate(String mechanism, SaslExchange exchange, byte[] response) {
    AuthOperation step = new AuthOperation(link.router().handshakeFormat(), mechanism, response);
    step.whenComplete((answer, cause) -> {
      if (cause != null) {
        connection.fail(refused(cause));
        return;
      }
      try {
        byte[] next = answer.isCompleted() ? null : exchange.next(answer.challenge());
        if (next != null) {
          authenticate(mechanism, exchange, next);
        } else if (exchange.isComplete()) {
          isLoggedIn = true;
          goOn();
        } else {
          connection.fail(refused(new HotRodClientException("the server ended the login early")));
        }
      } catch (HotRodClientException wrong) {
        connection.fail(refused(wrong));
      }
    });
    connection.send(step);
  }

  private TransportException refused(Throwable cause) {
    return new TransportException("login refused: server=" + link.address(), cause);
  }

  private void ping() {
    PingOperation ping = new PingOperation(link.router().handshakeFormat());
    ping.whenComplete((pong, cause) -> {
      if (cause == null) {
        agree(pong);
      } else {
        refusedVersion(cause);
      }
    });
    connection.send(ping);
  }

  private void refusedVersion(Throwable cause) {
    boolean isVersion =
        cause instanceof ServerErrorException error
            && (error.status() == Statuses.UNKNOWN_VERSION
                || error.status() == Statuses.PARSE_ERROR);
    int older = isVersion ? link.versionBelow(connection.version()) : 0;
    if (older == 0) {
      connection.fail(new TransportException("handshake failed: " + link.address(), cause));
    } else {
      connection.version(older);
      ping();
    }
  }

  private void agree(PingOperation.Pong pong) {
    int told = pong.version();
    int agreed = link.versionOf(connection.version(), told);
    if (agreed == 0) {
      connection.fail(
          new TransportException(
              "server too old: server=%s, version=%d; 3.0 is needed, or a connection pool"
                  .formatted(link.address(), told),
              null));
      return;
    }
    connection.version(agreed);
    if (pong.hasSessions()) {
      connection.takeSessions();
    }
    if (pong.hasTimes()) {
      connection.takeTimes();
    }
    isAgreed = true;
    goOn();
  }
}
