package dev.isogrid.jcache;

import java.lang.management.ManagementFactory;
import java.net.URI;
import javax.cache.CacheException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The MXBeans of a cache in the platform's server, by the names that JCache lays down; without
 * passwords of the URI.
 */
final class CacheBeans {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final String place;

  CacheBeans(URI uri, String cacheName) {
    place = ",CacheManager=" + safe(UriText.withoutSecrets(uri)) + ",Cache=" + safe(cacheName);
  }

  /**
   * The characters that a name cannot have become dots: those of the specification, and quotes and
   * wildcards, with which JMX refuses the name.
   */
  private static String safe(String text) {
    return text.replaceAll("[,:=\n\"*?]", ".");
  }

  /** Shows the statistics, or no more. */
  void show(Statistics statistics, boolean isShown) {
    show("CacheStatistics", statistics, isShown);
  }

  /** Shows the configuration, or no more. */
  void show(CacheDescription description, boolean isShown) {
    show("CacheConfiguration", description, isShown);
  }

  /** Removes both. */
  void hide() {
    unregister("CacheStatistics");
    unregister("CacheConfiguration");
  }

  private void show(String type, Object bean, boolean isShown) {
    if (!isShown) {
      unregister(type);
      return;
    }
    try {
      server.registerMBean(bean, name(type));
    } catch (InstanceAlreadyExistsException e) {
      // A manager of the same URI and another class loader has a cache of this name: the names of
      // JCache do not tell them apart, and the first stays.
    } catch (JMException e) {
      throw new CacheException("cannot register an MXBean: name=" + name(type), e);
    }
  }

  private void unregister(String type) {
    try {
      server.unregisterMBean(name(type));
    } catch (InstanceNotFoundException e) {
      // It was not shown.
    } catch (JMException e) {
      throw new CacheException("cannot unregister an MXBean: name=" + name(type), e);
    }
  }

  private ObjectName name(String type) {
    try {
      return new ObjectName("javax.cache:type=" + type + place);
    } catch (JMException e) {
      throw new CacheException("no name for an MXBean: " + type + place, e);
    }
  }
}
