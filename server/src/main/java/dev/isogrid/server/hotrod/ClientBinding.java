package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.SessionId;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.Identity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The session of the client at the other end of one connection. A session belongs to the user that
 * began it. The same id of another user is another session, on all servers alike. The event loop of
 * the connection changes it before it hands the requests to other threads that use it.
 */
final class ClientBinding {
  private final ClientSessions sessions;
  private final Caller caller;
  private boolean hasId;
  private long idHigh;
  private long idLow;
  private @Nullable Identity identity;

  /** Written by the event loop. */
  private volatile @Nullable Bound bound;

  /** Whether the client asked for exact times of entries. Written by the event loop. */
  private volatile boolean takesTimes;

  /**
   * A session in use.
   *
   * @param id its name among nodes
   * @param session this server's record of it
   */
  record Bound(SessionId id, ClientSession session) {}

  ClientBinding(ClientSessions sessions, Caller caller) {
    this.sessions = sessions;
    this.caller = caller;
  }

  /** Notes that the client asked for {@link dev.isogrid.wire.TimesExtension}. */
  void takeTimes() {
    takesTimes = true;
  }

  /** Whether the client asked for {@link dev.isogrid.wire.TimesExtension}. */
  boolean takesTimes() {
    return takesTimes;
  }

  /** The sessions of the server. */
  ClientSessions sessions() {
    return sessions;
  }

  /**
   * Takes the id of the session that a request names. Clients name it once per connection, so it
   * counts even if that request is refused. On the event loop.
   */
  void name(SessionField field) {
    boolean isOther = idHigh != field.idHigh || idLow != field.idLow;
    if (field.hasId && (!hasId || isOther)) {
      leave();
      hasId = true;
      idHigh = field.idHigh;
      idLow = field.idLow;
    }
  }

  /**
   * Enters the session of a request that the user may send. On the event loop.
   *
   * @throws InvalidRequestException if no request of the connection named a session
   * @throws RetryableGridException if the server has too many sessions
   */
  void enter(SessionField field) {
    Identity now = caller.identity();
    if (bound != null && Objects.equals(now, identity)) { // mostly the same object
      return;
    }
    leave();
    if (!hasId) {
      throw new InvalidRequestException(
          "no session: number=%d; name the session in the first request that has a number"
              .formatted(field.number));
    }
    SessionId id = id(now == null ? "" : now.name());
    ClientSession session = sessions.use(id);
    if (session == null) {
      throw new RetryableGridException(
          "too many sessions of clients: limit=%d; try again or another server"
              .formatted(ClientSessions.SESSIONS_MAX));
    }
    identity = now;
    bound = new Bound(id, session);
  }

  private SessionId id(String user) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(idHigh).putLong(idLow).flip());
      ByteBuffer hash = ByteBuffer.wrap(digest.digest(user.getBytes(StandardCharsets.UTF_8)));
      return SessionId.ofClient(hash.getLong(), hash.getLong());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("each Java platform has SHA-256", impossible);
    }
  }

  /**
   * The session of the noted requests.
   *
   * @throws RetryableGridException if the connection ended
   */
  Bound bound() {
    Bound known = bound;
    if (known == null) {
      throw new RetryableGridException("connection closed");
    }
    return known;
  }

  private void leave() {
    Bound known = bound;
    if (known != null) {
      bound = null;
      sessions.leave(known.id, known.session);
    }
  }

  /** Ends the use of the session with the connection. On the event loop. */
  void close() {
    leave();
  }
}
