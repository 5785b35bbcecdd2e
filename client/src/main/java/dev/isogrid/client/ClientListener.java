package dev.isogrid.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class whose methods are called for changes of a cache's entries: public methods without a
 * result that take one {@link EntryEvent} and are marked with {@link ClientCacheEntryCreated},
 * {@link ClientCacheEntryModified}, {@link ClientCacheEntryRemoved} or {@link
 * ClientCacheEntryExpired}; and methods that take an {@link EntryListener.Interruption}, marked
 * with {@link ClientCacheFailover}. Registered by {@link RemoteCache#addClientListener(Object)};
 * see {@link EntryListener} for the rest.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ClientListener {
  /** The name of the servers' factory of filters; none if it is empty. */
  String filterFactoryName() default "";

  /** The name of the servers' factory of converters; none if it is empty. */
  String converterFactoryName() default "";

  /** Whether filter and converter work on the stored bytes, without conversion. */
  boolean useRawData() default false;

  /** Whether existing entries are reported as created. */
  boolean includeCurrentState() default false;
}
