package dev.isogrid.node;

import dev.isogrid.api.MapReduceReport;
import java.util.List;

/** A node as JMX shows it. Getters are called as JMX wants it; sizes are in bytes. */
public interface NodeMXBean {
  /** The node's name. */
  String getNodeName();

  /** The name of the cluster that it belongs to. */
  String getClusterName();

  /** The names of its caches, sorted. */
  String[] getCacheNames();

  /** The limit of the off-heap memory of all caches. */
  long getOffHeapMaxBytes();

  /** The off-heap memory that the node holds, in bytes. */
  long getOffHeapReservedBytes();

  /** The part of it that caches use. */
  long getOffHeapAllocatedBytes();

  /** The map/reduces that the node started: those that run, and the last hundred that ended. */
  List<MapReduceReport> getMapReduces();
}
