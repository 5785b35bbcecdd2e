package dev.isogrid.server.net;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The memory for the unfinished requests of all connections together. A client gets half of it at
 * most. Requests above it wait, in the order of arrival. Thread-safe; complete requests on arrival
 * bypass it.
 */
public final class InputBudget {
  /*
   * A client is a network, such as an address: it may have many connections. A client that holds
   * something and would exceed its share waits for itself only, and is passed over. The first place
   * of another client that does not fit holds up all behind it, so that many small requests don't
   * keep a large one waiting for ever. Clients with waiting places take turns.
   *
   * Many clients, or one with many addresses, can still take all of it and send slowly. So while
   * others wait, the largest holder below a least rate must give its bytes back.
   */

  /** The part of the budget that a client may have. */
  private static final int SHARE_FRACTION = 2;

  /** The bytes from which on a connection may have to give them back. */
  private static final long LARGE_MIN = 64 << 10;

  /** The bytes per second that a large request must bring while others wait for memory. */
  public static final long BYTES_PER_SECOND_MIN = 64 << 10;

  /** The time in which a request need not keep that rate: a short failure of the network. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final long bytesMax;

  /** Clients that hold something or wait. Guarded by this. */
  private final Map<String, Client> clients = new HashMap<>();

  /** The clients of no known network, such as those of other transports than TCP. */
  private final Client unknown = new Client(null);

  /** The clients with waiting places that their share permits. Guarded by this. */
  private final Queue<Client> ready = new ArrayDeque<>();

  private final Set<Holder> large = ConcurrentHashMap.newKeySet();

  private long bytesTaken;

  /**
   * Begins without taken bytes.
   *
   * @param bytesMax the most bytes at the same time, 1 or more
   */
  public InputBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** A client's part. Guarded by the budget. Equal to itself only. */
  private static final class Client {
    private final @Nullable String name;
    private final ArrayDeque<Place> places = new ArrayDeque<>();
    private long held;
    private boolean isReady;

    Client(@Nullable String name) {
      this.name = name;
    }
  }

  /** The place of a connection in the queue. Equal to itself only. */
  private static final class Place {
    private final Client client;
    private final long bytes;
    private final Runnable granted;

    Place(Client client, long bytes, Runnable granted) {
      this.client = client;
      this.bytes = bytes;
      this.granted = granted;
    }
  }

  /** The part of a connection, for {@link #relieve}. Written by its event loop. */
  static final class Holder {
    private final Runnable cutOff;
    private volatile long held;
    private volatile long sinceNanos;

    /**
     * Begins without bytes.
     *
     * @param cutOff ends the unfinished request of the connection soon; any thread, must not block
     */
    Holder(Runnable cutOff) {
      this.cutOff = cutOff;
    }
  }

  /** The most bytes at the same time. */
  public long bytesMax() {
    return bytesMax;
  }

  /** The taken bytes. */
  public synchronized long bytesTaken() {
    return bytesTaken;
  }

  /** Takes bytes of no known client, unless too few are free or others wait. */
  public boolean tryTake(long bytes) {
    return tryTake(null, bytes);
  }

  /**
   * Takes bytes, unless too few are free, the client would exceed its share, or others wait.
   *
   * @param client its network, or null if it is unknown
   */
  synchronized boolean tryTake(@Nullable String client, long bytes) {
    Client taker = client(client);
    boolean isTaken = ready.isEmpty() && taker.places.isEmpty() && isWithinShare(taker, bytes);
    isTaken = isTaken && take(taker, bytes);
    forgetIdle(taker);
    return isTaken;
  }

  private Client client(@Nullable String name) {
    return name == null ? unknown : clients.computeIfAbsent(name, Client::new);
  }

  private void forgetIdle(Client client) {
    if (client.name != null && client.held == 0 && client.places.isEmpty() && !client.isReady) {
      clients.remove(client.name, client);
    }
  }

  /** Whether a client may have more; one that holds nothing may have one request of any size. */
  private boolean isWithinShare(Client client, long bytes) {
    return client == unknown
        || client.held == 0
        || client.held + bytes <= bytesMax / SHARE_FRACTION;
  }

  private boolean take(Client client, long bytes) {
    if (bytes > bytesMax - bytesTaken) {
      return false;
    }
    bytesTaken += bytes;
    client.held += bytes;
    return true;
  }

  /** Gives bytes of no known client back, and grants the waits for which there is room now. */
  public void give(long bytes) {
    give(null, bytes);
  }

  /** Gives a client's bytes back, and grants the waits for which there is room now. */
  void give(@Nullable String client, long bytes) {
    synchronized (this) {
      Client giver = client(client);
      bytesTaken -= bytes;
      giver.held -= bytes;
      makeReady(giver);
      forgetIdle(giver);
    }
    grant();
  }

  private void makeReady(Client client) {
    if (!client.isReady && !client.places.isEmpty()) {
      client.isReady = true;
      ready.add(client);
    }
  }

  /** Waits for bytes of no known client; see {@link #await(String, long, Runnable)}. */
  Object await(long bytes, Runnable granted) {
    return await(null, bytes, granted);
  }

  /**
   * Waits for bytes.
   *
   * @param client its network, or null if it is unknown
   * @param granted runs once when the bytes are taken, on any thread, maybe before this returns;
   *     must not block
   * @return the place for {@link #cancel}
   */
  Object await(@Nullable String client, long bytes, Runnable granted) {
    Place place;
    synchronized (this) {
      place = new Place(client(client), bytes, granted);
      place.client.places.add(place);
      makeReady(place.client);
    }
    grant();
    return place;
  }

  /**
   * Stops waiting.
   *
   * @return false if the bytes were granted before
   */
  boolean cancel(Object place) {
    boolean cancelled = false;
    synchronized (this) {
      if (place instanceof Place waiting) {
        cancelled = waiting.client.places.remove(waiting);
        forgetIdle(waiting.client);
      }
    }
    grant(); // those behind may have less to wait for
    return cancelled;
  }

  private void grant() {
    for (Place next = nextGranted(); next != null; next = nextGranted()) {
      next.granted.run();
    }
  }

  private synchronized @Nullable Place nextGranted() {
    for (Client client = ready.peek(); client != null; client = ready.peek()) {
      Place place = client.places.peek();
      boolean isWithinShare = place != null && isWithinShare(client, place.bytes);
      if (isWithinShare && !take(client, place.bytes)) {
        return null;
      }
      ready.remove();
      client.isReady = false;
      if (isWithinShare) {
        client.places.remove();
        makeReady(client); // behind the others
        return place;
      }
      forgetIdle(client); // or it is ready again when it gives something back
    }
    return null;
  }

  // ---- slow requests

  /** Notes the bytes that a connection holds. */
  void note(Holder holder, long held, long nowNanos) {
    if (holder.held == 0) {
      holder.sinceNanos = nowNanos;
    }
    holder.held = held;
    if (held >= LARGE_MIN) {
      large.add(holder);
    } else {
      large.remove(holder);
    }
  }

  /** Lets the largest of the requests that arrive too slowly end, since others wait for memory. */
  void relieve(long nowNanos) {
    Holder most = null;
    for (Holder holder : large) {
      long nanos = nowNanos - holder.sinceNanos;
      boolean isSlow =
          nanos >= GRACE_NANOS
              && holder.held / BYTES_PER_SECOND_MIN < TimeUnit.NANOSECONDS.toSeconds(nanos);
      if (isSlow && (most == null || holder.held > most.held)) {
        most = holder;
      }
    }
    if (most != null && large.remove(most)) {
      most.cutOff.run();
    }
  }
}
