package dev.isogrid.server.net;

import dev.isogrid.topology.Topology;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.List;

/**
 * Figures of the process and the node under the names that Infinispan calls legacy, which the
 * dashboard of its operator has. They mix cases, as no meter of Micrometer can. Thread-safe.
 */
final class LegacyNames implements MultiCollector {
  private static final String VENDOR = "vendor_cache_manager_default_";
  private static final String COLLECTIONS = "base_gc";
  private static final String COLLECTION_TIME = "base_gc_time_total_seconds";
  private static final double MILLIS_PER_SECOND = 1000;

  private final ServerContext context;
  private final PrometheusMeterRegistry target;
  private final Labels labels;

  /**
   * The figures of a server.
   *
   * @param target has the figures of the processor
   */
  LegacyNames(ServerContext context, PrometheusMeterRegistry target) {
    this.context = context;
    this.target = target;
    this.labels = Labels.of("node", context.node().nodeName());
  }

  @Override
  public MetricSnapshots collect() {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    addMemory(all);
    addThreads(all);
    addCollections(all);
    addNode(all);
    return all.build();
  }

  private void add(MetricSnapshots.Builder all, String name, String help, double value) {
    all.metricSnapshot(
        GaugeSnapshot.builder()
            .name(name)
            .help(help)
            .dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(value).build())
            .build());
  }

  private void addMemory(MetricSnapshots.Builder all) {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    addMemory(all, "Heap", memory.getHeapMemoryUsage());
    addMemory(all, "NonHeap", memory.getNonHeapMemoryUsage());
  }

  private void addMemory(MetricSnapshots.Builder all, String area, MemoryUsage usage) {
    String help = "As in Infinispan, " + area;
    add(all, "base_memory_used" + area + "_bytes", help, (double) usage.getUsed());
    add(all, "base_memory_committed" + area + "_bytes", help, (double) usage.getCommitted());
    double max = usage.getMax() < 0 ? Double.NaN : usage.getMax();
    add(all, "base_memory_max" + area + "_bytes", help + "; NaN without a limit", max);
  }

  private void addThreads(MetricSnapshots.Builder all) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    add(all, "base_thread_count", "Threads of the JVM", threads.getThreadCount());
    add(all, "base_thread_daemon_count", "Daemon threads", threads.getDaemonThreadCount());
    add(all, "base_thread_max_count", "The most threads so far", threads.getPeakThreadCount());
    Gauge processor = target.find("process.cpu.usage").gauge();
    if (processor != null) {
      String help = "The part of all processors that the process uses, 0 to 1";
      add(all, "base_cpu_processCpuLoad", help, processor.value());
    }
  }

  private void addCollections(MetricSnapshots.Builder all) {
    CounterSnapshot.Builder count =
        CounterSnapshot.builder().name(COLLECTIONS).help("Garbage collections");
    GaugeSnapshot.Builder time =
        GaugeSnapshot.builder().name(COLLECTION_TIME).help("Time of garbage collections");
    List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    for (GarbageCollectorMXBean each : collectors) {
      Labels ofCollector = labels.add("name", each.getName());
      count.dataPoint(
          CounterDataPointSnapshot.builder()
              .labels(ofCollector)
              .value((double) Math.max(0, each.getCollectionCount()))
              .build());
      time.dataPoint(
          GaugeDataPointSnapshot.builder()
              .labels(ofCollector)
              .value(Math.max(0, each.getCollectionTime()) / MILLIS_PER_SECOND)
              .build());
    }
    all.metricSnapshot(count.build());
    all.metricSnapshot(time.build());
  }

  private void addNode(MetricSnapshots.Builder all) {
    Topology topology = context.topology().get();
    int members = topology == null ? 1 : topology.members().size();
    add(all, VENDOR + "cluster_size", "Nodes of the cluster", members);
    String help = "Configurations of caches that there are";
    int configurations = context.node().cacheNames().size();
    add(all, VENDOR + "number_of_cache_configurations", help, configurations);
  }
}
