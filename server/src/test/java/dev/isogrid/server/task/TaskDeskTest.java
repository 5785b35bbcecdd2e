package dev.isogrid.server.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.JavaObjects;
import dev.isogrid.node.Node;
import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.Security;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.VouchedCaller;
import dev.isogrid.topology.NodeId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A caller that sends a task from another node. */
class TaskDeskTest {
  private static final NodeId ANOTHER = new NodeId(7, 7);
  private static final Roles ROLES =
      new Roles(
          Map.of(
              "admin", Permission.ALL.mask(),
              "runner", Permission.EXEC.mask(),
              "reader", Permission.ALL_READ.mask(),
              "deployer", Permission.EXEC.mask() | Permission.ALL_READ.mask()));

  @TempDir private Path folder;
  private Node node;
  private Security security;
  private TaskDesk desk;

  @BeforeEach
  void start() {
    start(ROLES);
  }

  private void start(@Nullable Roles roles) {
    node = Node.start(GridConfig.builder().nodeName("a").build(), Env.system());
    restricted("secret", "admin");
    restricted("open", "admin", "runner", "reader", "deployer");
    SecuritySettings.Login login =
        new SecuritySettings.Login("default", "infinispan", true, true, null, null, false);
    security =
        new Security(new SecuritySettings(login, roles, true, folder), node.env(), _ -> true);
    desk = new TaskDesk(node, TaskLibrary.open(GuardedTask.deploy(folder)), security);
  }

  private void restricted(String name, String... roles) {
    Cache<String, String> cache =
        node.cache(
            name,
            CacheConfig.builder()
                .storage(StorageType.HEAP_BINARY)
                .encoding("application/x-protostream", "application/x-protostream")
                .authorization(new CacheAuthorization(true, List.of(roles)))
                .build());
    cache.put("k", "top secret top");
  }

  @AfterEach
  void stop() {
    desk.close();
    security.close();
    node.close();
  }

  private @Nullable Object serve(TaskCall call) throws Exception {
    ByteString answer = desk.serve(ANOTHER, JavaObjects.toBytes(call));
    return node.calls().objects().read(answer.toByteArray(), 0, answer.length());
  }

  private static TaskCall call(String task, @Nullable String cache, @Nullable String role) {
    VouchedCaller caller = role == null ? null : new VouchedCaller("ada", Set.of(role));
    return new TaskCall(task, cache, Map.of(), caller);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "wordcount, secret, -,        lacking=a login",
        "wordcount, secret, nobody,   lacking=EXEC;",
        "wordcount, secret, reader,   lacking=EXEC;",
        "wordcount, secret, deployer, lacking=EXEC+BULK_READ on the cache",
        "wordcount, open,   runner,   lacking=EXEC+BULK_READ on the cache",
        "wordcount, open,   -,        lacking=a login",
        "guarded,   -,      -,        lacking=a login",
        "guarded,   -,      runner,   lacking=role deployer",
        "guarded,   -,      admin,    lacking=role deployer",
        "guarded,   secret, deployer, lacking=EXEC on the cache",
      })
  void serve_forACallerWithoutTheRoles_isRefused(
      String task, @Nullable String cache, @Nullable String role, String lacking) {
    AccessRefused refused = assertThrows(AccessRefused.class, () -> serve(call(task, cache, role)));
    assertTrue(refused.text().startsWith("task " + task + " is not permitted"), refused::text);
    assertTrue(refused.text().contains(lacking), refused::text);
  }

  @Test
  void serve_forACallerWithTheRoles_runsTheTask() throws Exception {
    Map<String, Long> counts = Map.of("top", 2L, "secret", 1L);
    assertEquals(counts, serve(call("wordcount", "secret", "admin")));
    assertEquals(counts, serve(call("wordcount", "open", "deployer")));
    assertEquals("done", serve(call("guarded", "open", "deployer")));
  }

  @Test
  @Timeout(60)
  void failure_ofOneNode_doesNotWaitForOthers() throws Exception {
    CompletableFuture<String> slow = new CompletableFuture<>();
    CompletableFuture<String> failed =
        CompletableFuture.failedFuture(new IllegalStateException("on purpose"));
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> TaskDesk.all(List.of(slow, failed)));
    assertEquals("java.lang.IllegalStateException: on purpose", failure.getMessage());
    slow.complete("a");
    assertEquals(
        List.of("a", "b"), TaskDesk.all(List.of(slow, CompletableFuture.completedFuture("b"))));
  }

  @Test
  void run_here_checksTheSame() {
    assertThrows(AccessRefused.class, () -> desk.run(call("wordcount", "secret", "runner")));
    assertEquals(Map.of("top", 2L, "secret", 1L), desk.run(call("wordcount", "secret", "admin")));
  }

  @Test
  void serve_whereRolesMeanNothing_needsALoginOnly() throws Exception {
    stop();
    start(null);
    assertThrows(AccessRefused.class, () -> serve(call("guarded", null, null)));
    assertEquals("done", serve(call("guarded", "secret", "nobody")));
  }
}
