package dev.isogrid.node;

import dev.isogrid.engine.CacheEngine;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a node and its caches registered with JMX, from {@link #begin} to {@link #close}, as {@code
 * dev.isogrid:type=Node,node="n"} and {@code dev.isogrid:type=Cache,node="n",name="orders"}. If
 * another node of the process has the same name, {@code instance=2} and so on comes after it.
 * Thread-safe. A bean that can't be registered is logged and left out.
 */
final class JmxExport {
  private static final System.Logger log = System.getLogger(JmxExport.class.getName());
  private static final String DOMAIN = "dev.isogrid";

  /** Nodes of one name in a process; more are not shown. */
  private static final int INSTANCES_MAX = 1_000;

  private final Node node;

  /** Held while beans are registered; nothing of the node waits for it but these calls. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Map<String, CacheBean> cacheBeans = new HashMap<>();

  /** Written under the lock; null before the beginning and after the end. */
  private volatile @Nullable MBeanServer server;

  /** The common part of the names of this node's beans. Guarded by the lock. */
  private String nodeKeys = "";

  /** Guarded by the lock. */
  private boolean closed;

  JmxExport(Node node) {
    this.node = node;
  }

  /** Registers the node and its caches. No effect if that was done, or after {@link #close}. */
  void begin(MBeanServer target) {
    lock.lock();
    try {
      if (server != null || closed || !registerNode(target)) {
        return;
      }
      server = target; // from now on, whoever creates a cache calls here
      node.cacheNames().forEach(this::update);
    } finally {
      lock.unlock();
    }
  }

  private boolean registerNode(MBeanServer target) {
    String quoted = "node=" + ObjectName.quote(node.nodeName());
    for (int instance = 1; instance <= INSTANCES_MAX; instance++) {
      nodeKeys = instance == 1 ? quoted : quoted + ",instance=" + instance;
      try {
        target.registerMBean(new NodeBean(node), name("Node", ""));
        return true;
      } catch (InstanceAlreadyExistsException _) {
        log.log(Level.DEBUG, "another node has this name in JMX: {0}", nodeKeys);
      } catch (JMException failure) {
        log.log(Level.WARNING, "JMX does not take the node: " + nodeKeys, failure);
        return false;
      }
    }
    log.log(Level.WARNING, "too many nodes of one name for JMX: {0}", nodeKeys);
    return false;
  }

  private ObjectName name(String type, String moreKeys) throws JMException {
    return new ObjectName(DOMAIN + ":type=" + type + "," + nodeKeys + moreKeys);
  }

  private ObjectName cacheName(String cache) throws JMException {
    return name("Cache", ",name=" + ObjectName.quote(cache));
  }

  /** Makes JMX show the cache of a name as it is now. To be called after it came or went. */
  @SuppressWarnings("ReferenceEquality") // whether it is still this cache
  void update(String cache) {
    if (server == null) {
      return;
    }
    lock.lock();
    try {
      MBeanServer target = server;
      CacheEngine<?, ?> engine = node.anyEngine(cache);
      CacheBean shown = cacheBeans.get(cache);
      if (target == null || (shown != null && shown.engine() == engine)) {
        return;
      }
      if (shown != null) {
        remove(target, cache);
      }
      if (engine != null) {
        add(target, cache, new CacheBean(engine));
      }
    } finally {
      lock.unlock();
    }
  }

  private void add(MBeanServer target, String cache, CacheBean bean) {
    try {
      target.registerMBean(bean, cacheName(cache));
      cacheBeans.put(cache, bean);
    } catch (JMException failure) {
      log.log(Level.WARNING, "JMX does not take the cache: cache=" + cache, failure);
    }
  }

  private void remove(MBeanServer target, String cache) {
    cacheBeans.remove(cache);
    try {
      target.unregisterMBean(cacheName(cache));
    } catch (JMException failure) {
      log.log(Level.WARNING, "JMX does not let go of the cache: cache=" + cache, failure);
    }
  }

  /** Removes all beans, for good. Closing twice is harmless. */
  void close() {
    lock.lock();
    try {
      closed = true;
      MBeanServer target = server;
      server = null;
      if (target != null) {
        List.copyOf(cacheBeans.keySet()).forEach(cache -> remove(target, cache));
        target.unregisterMBean(name("Node", ""));
      }
    } catch (JMException failure) {
      log.log(Level.WARNING, "JMX does not let go of the node: " + nodeKeys, failure);
    } finally {
      lock.unlock();
    }
  }
}
