package dev.isogrid.api;

import java.util.List;

/**
 * Makes filters that convert, for the listeners of clients that give the same name as their filter
 * factory and as their converter factory.
 *
 * <p>A server finds factories in the jars of its folder of tasks by {@link
 * java.util.ServiceLoader}: the jar lists the class in {@code
 * META-INF/services/dev.isogrid.api.CacheEventFilterConverterFactory}; it is public, with a public
 * constructor without parameters. All servers of a cluster should have the same factories, since a
 * listener goes to another server when its connection ends.
 *
 * <p>One object serves all listeners, several at a time.
 */
public interface CacheEventFilterConverterFactory {
  /** The name by which listeners ask for it: 1 to 255 characters. */
  String name();

  /**
   * Makes the filter that converts of one listener.
   *
   * @param parameters what the listener sends: texts, boxed primitives or arrays of bytes; only
   *     arrays of bytes if it asks for raw data
   * @throws Exception whose text the client gets; the listener is not added
   */
  CacheEventFilterConverter<?, ?> newFilterConverter(List<Object> parameters) throws Exception;
}
