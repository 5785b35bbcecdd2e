package dev.isogrid.spring;

import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Grid;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of an embedded grid: down if segments of a cache are lost, or the grid does not
 * answer.
 */
final class GridHealth extends AbstractHealthIndicator {
  private final Grid grid;

  GridHealth(Grid grid) {
    super("the grid does not answer");
    this.grid = grid;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    int lost = 0;
    for (String cache : grid.cacheNames()) {
      if (grid.cache(cache).config().mode() != CacheMode.LOCAL) {
        lost += grid.rebalancing().lostSegments(cache);
      }
    }
    (lost == 0 ? health.up() : health.down())
        .withDetail("nodes", grid.executor().nodes().size())
        .withDetail("caches", grid.cacheNames().size())
        .withDetail("lostSegments", lost);
  }
}
