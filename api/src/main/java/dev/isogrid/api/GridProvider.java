package dev.isogrid.api;

/**
 * Makes grids. Found with {@link java.util.ServiceLoader}; the {@code isogrid-grid} library
 * provides the one implementation. Not for users: call {@link Grid#start()}.
 */
public interface GridProvider {
  /** Starts a grid. */
  Grid start(GridConfig config);
}
