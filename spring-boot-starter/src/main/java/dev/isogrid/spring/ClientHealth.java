package dev.isogrid.spring;

import dev.isogrid.client.RemoteCacheManager;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** The health of servers as a client sees it: down if none answers. One round trip. */
final class ClientHealth extends AbstractHealthIndicator {
  private final RemoteCacheManager client;

  ClientHealth(RemoteCacheManager client) {
    super("no server answers");
    this.client = client;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    int caches = client.getCacheNames().size();
    health.up().withDetail("servers", client.servers().size()).withDetail("caches", caches);
  }
}
