package dev.isogrid.client;

import dev.isogrid.client.spi.LinkPool;
import dev.isogrid.client.spi.LinkPoolProvider;
import dev.isogrid.client.spi.PoolConnection;
import dev.isogrid.client.spi.PoolRequest;
import dev.isogrid.client.spi.PoolSite;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server with a pool of connections, which is in an artifact of its own. */
final class PooledLink extends ServerLink implements PoolSite {
  private final LinkPool pool;
  private final LinkRetries retries = new LinkRetries();

  PooledLink(
      ServerAddress address,
      Router router,
      EventLoop loop,
      LinkPoolProvider provider,
      ConnectionPoolConfig config) {
    super(address, router, loop);
    this.pool = provider.create(this, config);
  }

  /**
   * Finds the provider of pools.
   *
   * @throws IllegalArgumentException if the artifact is missing
   */
  static LinkPoolProvider provider(ClientConfig config) {
    return ServiceLoader.load(LinkPoolProvider.class, PooledLink.class.getClassLoader())
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no connection pool: protocol_version=%s; connection_pool.* and versions before"
                        .formatted(config.protocolVersion())
                    + " 3.0 need dev.isogrid:isogrid-client-pooled on the class path or module"
                    + " path"));
  }

  // ---- for the client ---------------------------------------------------------------------------

  @Override
  boolean isUsable() {
    return pool.isUsable();
  }

  @Override
  boolean isRetired() {
    return pool.isRetired();
  }

  @Override
  void start() {
    loop().leave(pool::start);
  }

  @Override
  void retire(boolean atOnce) {
    if (atOnce) {
      pool.retire(true);
    } else {
      loop().leave(() -> pool.retire(false));
    }
  }

  @Override
  int unansweredMax() {
    return pool.unansweredMax();
  }

  @Override
  int versionFirst() {
    return pool.versionFirst();
  }

  @Override
  int versionBelow(int refused) {
    return pool.versionBelow(refused);
  }

  @Override
  int versionOf(int pinged, int told) {
    return pool.versionOf(pinged, told);
  }

  @Override
  @Nullable Operation<?> firstFor(Connection connection) {
    return (Operation<?>) pool.firstFor(connection);
  }

  @Override
  void removeFirst(Operation<?> operation) {
    pool.removeFirst(operation);
  }

  @Override
  void ready(Connection connection) {
    pool.ready(connection);
  }

  @Override
  void answered(Connection connection) {
    pool.answered(connection);
  }

  @Override
  void lost(Connection gone, HotRodClientException cause) {
    pool.lost(gone, cause);
  }

  @Override
  void drain() {
    pool.drain();
  }

  @Override
  void tick(long nowNanos) {
    pool.tick(nowNanos);
  }

  // ---- for the pool -----------------------------------------------------------------------------

  @Override
  public int operationsMax() {
    return router().config().limits().operationsMax();
  }

  @Override
  public int versionMax() {
    return router().config().protocolVersion().newest();
  }

  @Override
  public boolean triesVersions() {
    return router().config().protocolVersion() == ProtocolVersion.AUTO;
  }

  @Override
  public long nowNanos() {
    return Nanos.now();
  }

  @Override
  public void execute(Runnable task) {
    loop().execute(task);
  }

  @Override
  public PoolConnection newConnection() {
    return new Connection(this);
  }

  @Override
  public void open(PoolConnection connection) {
    retries.begun();
    router().transport().connect((Connection) connection, loop());
  }

  @Override
  public void succeeded() {
    retries.succeeded();
    isDown(false);
  }

  @Override
  public void failed(boolean isDown, Runnable attempt) {
    isDown(isDown);
    router().failed(this);
    if (!router().isClosed()) {
      retries.failed(loop(), attempt);
    }
  }

  @Override
  public boolean isRetryDue() {
    return retries.isDue();
  }

  @Override
  public long retryNanos() {
    return TimeUnit.MILLISECONDS.toNanos(LinkRetries.FIRST_MILLIS);
  }

  @Override
  public void removeFirstWaiting(PoolRequest request) {
    removeFirstWaiting((Operation<?>) request);
  }

  @Override
  public void addWaiting(PoolRequest request) {
    addWaiting((Operation<?>) request);
  }

  @Override
  public void expire(PoolRequest request, long nowNanos) {
    Operation<?> operation = (Operation<?>) request;
    if (nowNanos - operation.deadlineNanos > 0 && !operation.isDone()) {
      loop().fail(operation, operation.timeout());
    }
  }

  @Override
  public long waitedNanos(PoolRequest request, long nowNanos) {
    long sentNanos = ((Operation<?>) request).deadlineNanos - router().operationTimeoutNanos();
    return nowNanos - sentNanos;
  }

  @Override
  public void refuseBusy(PoolRequest request, String message) {
    refuse((Operation<?>) request, new TooManyRequestsException(message));
  }

  @Override
  public void refuseLate(PoolRequest request, String message) {
    refuse((Operation<?>) request, new OperationTimeoutException(message));
  }

  private void refuse(Operation<?> operation, HotRodClientException cause) {
    operation.next = null;
    permits().release(operation.permitBytes);
    loop().fail(operation, cause);
  }

  @Override
  public HotRodClientException failure(String message, @Nullable HotRodClientException cause) {
    return new TransportException(message, cause);
  }

  @Override
  public void failOver(@Nullable PoolRequest list, HotRodClientException cause) {
    failOver((Operation<?>) list, cause);
  }
}
