package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.wire.Opcodes;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequirementsTest {
  private static int mask(String role) {
    return Roles.PREDEFINED.mask(Set.of(role));
  }

  private static boolean may(String role, int operation) {
    int needed = Requirements.hotRod(operation) & ~Permission.LOGGED_IN;
    return (mask(role) & needed) == needed;
  }

  @Test
  void roles_onHotRod_permitWhatTheirNamesSay() {
    assertTrue(may("observer", Opcodes.GET));
    assertTrue(may("observer", Opcodes.GET_ALL));
    assertTrue(may("observer", Opcodes.STATS));
    assertFalse(may("observer", Opcodes.PUT));
    assertFalse(may("observer", Opcodes.CLEAR));
    assertFalse(may("observer", Opcodes.ADD_CLIENT_LISTENER));
    assertTrue(may("application", Opcodes.PUT_ALL));
    assertTrue(may("application", Opcodes.ADD_CLIENT_LISTENER));
    assertFalse(may("application", Opcodes.COUNTER_CREATE));
    assertTrue(may("deployer", Opcodes.COUNTER_CREATE));
    assertTrue(may("monitor", Opcodes.STATS));
    assertFalse(may("monitor", Opcodes.GET));
    assertFalse(may("monitor", Opcodes.SIZE));
  }

  @Test
  void operations_thatAreNotNamed_needAdmin() {
    assertEquals(Permission.ADMIN.mask(), Requirements.hotRod(0x00));
    assertEquals(Permission.ADMIN.mask(), Requirements.hotRod(0xFF));
    assertEquals(Permission.ADMIN.mask(), Requirements.task("@@unknown"));
    assertEquals(Permission.EXEC.mask(), Requirements.task("script"));
    assertEquals(Permission.ADMIN.mask(), Requirements.memcached("unheard"));
    assertEquals(
        Permission.ADMIN.mask(),
        Requirements.rest("GET", List.of("rest", "v2", "new"), "").needed());
  }

  @ParameterizedTest
  @CsvSource({
    "GET, rest/v2/caches/*, keys, BULK_READ",
    "GET, rest/v3/caches/*/keys, '', BULK_READ",
    "POST, rest/v3/caches/*/_clear, '', BULK_WRITE",
    "POST, rest/v2/caches/*, clear, BULK_WRITE",
    "POST, rest/v2/caches/*, '', CREATE",
    "GET, health/live, '', NONE",
    "GET, rest/v3/container/_stats, '', MONITOR"
  })
  void rest_inBothVersions_needsTheSame(String verb, String path, String action, Permission need) {
    assertEquals(need.mask(), Requirements.rest(verb, List.of(path.split("/")), action).needed());
  }

  @Test
  void roles_ofACache_leaveOnlyThoseThatItKnows() {
    assertEquals(
        mask("observer"), Roles.PREDEFINED.mask(Set.of("admin", "observer"), List.of("observer")));
    assertEquals(0, Roles.PREDEFINED.mask(Set.of("admin"), List.of("observer")));
    assertEquals(Permission.ALL.mask(), Roles.PREDEFINED.mask(Set.of("admin"), List.of()));
  }
}
