package dev.isogrid.node;

import dev.isogrid.api.MapReduceReport;
import java.util.List;

/** A node for JMX. Thread-safe. */
final class NodeBean implements NodeMXBean {
  private final Node node;

  NodeBean(Node node) {
    this.node = node;
  }

  @Override
  public String getNodeName() {
    return node.nodeName();
  }

  @Override
  public String getClusterName() {
    return node.config().clusterName();
  }

  @Override
  public String[] getCacheNames() {
    return node.cacheNames().toArray(String[]::new);
  }

  @Override
  public long getOffHeapMaxBytes() {
    return node.offHeapUse().maxBytes();
  }

  @Override
  public long getOffHeapReservedBytes() {
    return node.offHeapUse().reservedBytes();
  }

  @Override
  public long getOffHeapAllocatedBytes() {
    return node.offHeapUse().allocatedBytes();
  }

  @Override
  public List<MapReduceReport> getMapReduces() {
    return node.mapReduceReports();
  }
}
