package dev.isogrid.api;

import java.util.List;

/**
 * Makes filters for the listeners of clients, which name it as their filter factory.
 *
 * <p>A server finds factories in the jars of its folder of tasks by {@link
 * java.util.ServiceLoader}: the jar lists the class in {@code
 * META-INF/services/dev.isogrid.api.CacheEventFilterFactory}; it is public, with a public
 * constructor without parameters. All servers of a cluster should have the same factories, since a
 * listener goes to another server when its connection ends.
 *
 * <p>One object serves all listeners, several at a time.
 */
public interface CacheEventFilterFactory {
  /** The name by which listeners ask for it: 1 to 255 characters. */
  String name();

  /**
   * Makes the filter of one listener.
   *
   * @param parameters what the listener sends: texts, boxed primitives or arrays of bytes; only
   *     arrays of bytes if it asks for raw data
   * @throws Exception whose text the client gets; the listener is not added
   */
  CacheEventFilter<?, ?> newFilter(List<Object> parameters) throws Exception;
}
