package dev.isogrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.testkit.FreePorts;
import dev.isogrid.types.JavaSerializationMarshaller;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheManager;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hibernate keeps entities and results of queries in a grid, as its second-level cache. */
@NullUnmarked // entities are filled by Hibernate
class HibernateCacheTest {
  /** An entity. */
  @Entity(name = "Book")
  @Cacheable
  @Cache(usage = CacheConcurrencyStrategy.READ_WRITE, region = "books")
  static class Book {
    @Id private Long id;
    private String title;

    Book() {}

    Book(long id, String title) {
      this.id = id;
      this.title = title;
    }
  }

  /** The resources of a test, closed in reverse order. */
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  private <T extends AutoCloseable> T opened(T resource) {
    opened.add(resource);
    return resource;
  }

  /** Sessions over one database in memory; the cache manager is that of the default URI if null. */
  private SessionFactory sessions(String database, CacheManager caches) {
    Configuration configuration =
        new Configuration()
            .addAnnotatedClass(Book.class)
            .setProperty(
                "hibernate.connection.url", "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(database))
            .setProperty("hibernate.hbm2ddl.auto", "update")
            .setProperty("hibernate.cache.use_second_level_cache", "true")
            .setProperty("hibernate.cache.use_query_cache", "true")
            .setProperty("hibernate.cache.region.factory_class", "jcache")
            .setProperty("hibernate.javax.cache.provider", IsogridCachingProvider.class.getName())
            .setProperty("hibernate.javax.cache.missing_cache_strategy", "create")
            .setProperty("hibernate.cache.keys_factory", "simple")
            .setProperty("hibernate.generate_statistics", "true");
    if (caches != null) {
      configuration.getProperties().put("hibernate.javax.cache.cache_manager", caches);
    }
    return opened(configuration.buildSessionFactory());
  }

  private static String title(SessionFactory sessions, long id) {
    return sessions.fromTransaction(session -> session.find(Book.class, id).title);
  }

  private static void change(SessionFactory sessions, long id, String title) {
    sessions.inTransaction(session -> session.find(Book.class, id).title = title);
  }

  private static long hits(SessionFactory sessions) {
    return sessions.getStatistics().getSecondLevelCacheHitCount();
  }

  private static List<String> titles(SessionFactory sessions) {
    return sessions.fromTransaction(session ->
        session
            .createSelectionQuery("select title from Book order by id", String.class)
            .setCacheable(true)
            .getResultList());
  }

  @Test
  void entitiesAndQueries_areReadFromTheGrid() {
    SessionFactory sessions = sessions("alone", null);
    sessions.inTransaction(session -> session.persist(new Book(1, "Emma")));
    assertEquals("Emma", title(sessions, 1));
    assertEquals("Emma", title(sessions, 1));
    assertEquals(2, hits(sessions));
    assertEquals(List.of("Emma"), titles(sessions));
    assertEquals(List.of("Emma"), titles(sessions));
    assertEquals(1, sessions.getStatistics().getQueryCacheHitCount());

    change(sessions, 1, "Persuasion");
    assertEquals("Persuasion", title(sessions, 1));
    assertEquals(List.of("Persuasion"), titles(sessions));
    sessions.getCache().evictAllRegions();
    long before = hits(sessions);
    assertEquals("Persuasion", title(sessions, 1));
    assertEquals(before, hits(sessions));
  }

  private CacheManager node(int port, List<String> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(seeds)
            .joinTimeout(60, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    GridConfig config =
        GridConfig.builder()
            .nodeName("n" + port)
            .cluster(cluster)
            .defaultCache(CacheConfig.builder().mode(CacheMode.REPL_SYNC).segments(4).build())
            .marshaller(new JavaSerializationMarshaller(List.of("org.hibernate.**", "java.**")))
            .build();
    Grid grid = Grid.start(config);
    Properties properties = new Properties();
    properties.put(IsogridCachingProvider.GRID, grid);
    CacheManager manager =
        new IsogridCachingProvider()
            .getCacheManager(URI.create("isogrid:n" + port), null, properties);
    synchronized (opened) {
      opened(grid);
      opened(manager);
    }
    return manager;
  }

  @Test
  void entities_areSharedByTheNodesOfACluster() throws Exception {
    List<Integer> ports = FreePorts.several(2);
    List<String> seeds = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    CompletableFuture<CacheManager> starting =
        CompletableFuture.supplyAsync(() -> node(ports.get(0), seeds));
    CacheManager second = node(ports.get(1), seeds);
    SessionFactory here = sessions("shared", starting.join());
    SessionFactory there = sessions("shared", second);

    here.inTransaction(session -> session.persist(new Book(1, "Emma")));
    assertEquals("Emma", title(here, 1));
    assertEquals("Emma", title(there, 1));
    assertEquals(1, hits(there));
    change(there, 1, "Persuasion");
    assertEquals("Persuasion", title(here, 1));
  }
}
