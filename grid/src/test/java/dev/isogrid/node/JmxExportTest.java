package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.EntryFilter;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.MapReduceException;
import dev.isogrid.api.MapReduceReport;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.OffHeapUse;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.base.Env;
import dev.isogrid.base.FakeEnv;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class JmxExportTest {
  private static final CacheConfig CONFIG =
      CacheConfig.builder()
          .storage(StorageType.OFF_HEAP)
          .segments(4)
          .statistics(true)
          .maxCount(10)
          .whenFull(WhenFull.EXCEPTION)
          .build();

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final Node node = newNode();

  private static Node newNode() {
    GridConfig config = GridConfig.builder().nodeName("n").clusterName("c").build();
    return Node.start(config, new FakeEnv().env());
  }

  private Set<String> names() throws JMException {
    Set<String> names = new TreeSet<>();
    for (ObjectName name : server.queryNames(new ObjectName("dev.isogrid:*"), null)) {
      names.add(name.getKeyPropertyListString());
    }
    return names;
  }

  private <T> T bean(String name, Class<T> type) throws JMException {
    return JMX.newMXBeanProxy(server, new ObjectName("dev.isogrid:" + name), type);
  }

  @Test
  void export_ofNode_showsItsCachesAsTheyComeAndGo() throws JMException {
    node.createCache("before", CONFIG);
    assertEquals(Set.of(), names());

    node.export(server);
    node.export(server);
    node.createCache("after", CONFIG);
    node.cache("implicit");
    assertEquals(
        Set.of(
            "type=Node,node=\"n\"",
            "type=Cache,node=\"n\",name=\"after\"",
            "type=Cache,node=\"n\",name=\"before\"",
            "type=Cache,node=\"n\",name=\"implicit\""),
        names());

    node.removeCache("before");
    node.removeCache("implicit");
    assertEquals(Set.of("type=Node,node=\"n\"", "type=Cache,node=\"n\",name=\"after\""), names());

    node.close();
    node.close();
    assertEquals(Set.of(), names());
  }

  @Test
  void export_ofClosedNode_showsNothing() throws JMException {
    node.close();
    node.export(server);
    assertEquals(Set.of(), names());
  }

  @Test
  void export_ofNodesOfOneName_keepsThemApart() throws JMException {
    Node second = newNode();
    node.createCache("a", CONFIG);
    second.createCache("a", CONFIG);
    node.export(server);
    second.export(server);
    assertEquals(
        Set.of(
            "type=Node,node=\"n\"",
            "type=Node,node=\"n\",instance=2",
            "type=Cache,node=\"n\",name=\"a\"",
            "type=Cache,node=\"n\",instance=2,name=\"a\""),
        names());

    node.close();
    assertEquals(
        Set.of("type=Node,node=\"n\",instance=2", "type=Cache,node=\"n\",instance=2,name=\"a\""),
        names());
    second.close();
    assertEquals(Set.of(), names());
  }

  @Test
  void nodeBean_tellsOfMapReduces_theLastHundred() throws JMException {
    try (Node busy = Node.start(GridConfig.builder().nodeName("n").build(), Env.system())) {
      Cache<String, String> cache = busy.cache("texts");
      cache.put("k", "v");
      EntryFilter<String, String> failing =
          (_, _) -> {
            throw new IllegalStateException("asked to fail");
          };
      MapReduceTask<String, Long> task = busy.mapReduce(cache).countBy((_, text) -> text);
      task.execute();
      assertThrows(
          MapReduceException.class,
          busy.mapReduce(cache).filteredBy(failing).countBy((_, text) -> text)::execute);
      busy.export(server);
      NodeMXBean bean = bean("type=Node,node=\"n\"", NodeMXBean.class);
      List<MapReduceReport> reports = bean.getMapReduces();
      assertEquals(2, reports.size());
      MapReduceReport done = reports.getFirst();
      assertEquals("texts", done.cache());
      assertEquals(MapReduceReport.State.DONE, done.state());
      assertEquals(1, done.stats().entries());
      assertNull(done.failure());
      MapReduceReport failed = reports.getLast();
      assertEquals(MapReduceReport.State.FAILED, failed.state());
      String why = String.valueOf(failed.failure());
      assertTrue(why.contains("asked to fail"), why);
      for (int i = 0; i < 99; i++) {
        task.execute();
      }
      assertEquals(100, bean.getMapReduces().size());
      assertEquals(failed, bean.getMapReduces().getFirst());
    }
  }

  @Test
  void cacheBean_ofAnyName_canBeFound() throws JMException {
    String name = "a,b=\"*?\\\n:ä";
    node.createCache(name, CONFIG);
    node.export(server);
    String bean = "type=Cache,node=\"n\",name=" + ObjectName.quote(name);
    assertEquals(name, bean(bean, CacheMXBean.class).getName());
  }

  @Test
  void cacheBean_tellsWhatIsTrue() throws JMException {
    Cache<String, String> cache = node.createCache("a", CONFIG);
    node.export(server);
    cache.put("k", "v");
    cache.get("k");
    cache.get("none");
    cache.remove("none");
    CacheMXBean bean = bean("type=Cache,node=\"n\",name=\"a\"", CacheMXBean.class);
    assertEquals("LOCAL", bean.getMode());
    assertEquals("OFF_HEAP", bean.getStorage());
    assertEquals(10, bean.getMaxCount());
    assertEquals(-1, bean.getMaxSizeBytes());
    assertEquals("EXCEPTION", bean.getWhenFull());
    assertEquals(1, bean.getEntries());
    assertEquals(1, bean.getHits());
    assertEquals(1, bean.getMisses());
    assertEquals(1, bean.getStores());
    assertEquals(0, bean.getRemoveHits());
    assertEquals(1, bean.getRemoveMisses());
    assertEquals(0, bean.getExpirations());
    assertEquals(0, bean.getEvictions());
    assertEquals(cache.memoryUse().allocatedBytes(), bean.getAllocatedBytes());
    assertEquals(cache.memoryUse().liveBytes(), bean.getLiveBytes());
    assertEquals(cache.memoryUse().deadBytes(), bean.getDeadBytes());
    assertEquals(cache.memoryUse().indexBytes(), bean.getIndexBytes());
    assertEquals(cache.memoryUse().pages(), bean.getPages());
    assertEquals(0, bean.getDictionaryBytes());

    bean.resetStatistics();
    assertEquals(0, bean.getStores());
  }

  @Test
  void cacheBean_withoutStatistics_countsNothing() throws JMException {
    node.createCache("a", CONFIG.toBuilder().statistics(false).build());
    node.export(server);
    CacheMXBean bean = bean("type=Cache,node=\"n\",name=\"a\"", CacheMXBean.class);
    assertEquals(-1, bean.getHits());
    assertEquals(-1, bean.getEvictions());
    assertEquals(0, bean.getEntries());
  }

  @Test
  void nodeBean_tellsWhatIsTrue() throws JMException {
    node.createCache("b", CONFIG).put("k", "v");
    node.createCache("a", CONFIG);
    node.export(server);
    NodeMXBean bean = bean("type=Node,node=\"n\"", NodeMXBean.class);
    assertEquals("n", bean.getNodeName());
    assertEquals("c", bean.getClusterName());
    assertArrayEquals(new String[] {"a", "b"}, bean.getCacheNames());
    OffHeapUse use = node.offHeapUse();
    assertEquals(use.maxBytes(), bean.getOffHeapMaxBytes());
    assertEquals(use.reservedBytes(), bean.getOffHeapReservedBytes());
    assertEquals(use.allocatedBytes(), bean.getOffHeapAllocatedBytes());
  }
}
