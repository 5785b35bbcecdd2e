package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.security.Permission;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each route has its line in the table of what requests need. */
class RequirementsOfRoutesTest {
  @Test
  void routes_butThoseOfAdministrators_areNamedInTheTable() {
    try (TestServer server = new TestServer()) {
      List<Route> routes = server.routes();
      assertTrue(routes.size() > 30);
      List<String> onlyForAdmins =
          routes.stream()
              .filter(route -> route.needed() == Permission.ADMIN.mask())
              .map(route -> route.verb() + " " + String.join("/", route.pattern()))
              .distinct()
              .toList();
      assertEquals(
          List.of(
              "POST rest/v2/caches/*",
              "POST rest/v3/caches/*/_stats-reset",
              "POST rest/v3/caches/*/config/attributes/*",
              "POST rest/v3/caches/*/_assign-alias",
              "POST rest/v2/container",
              "POST rest/v2/cache-managers/*",
              "POST rest/v3/container/_rebalancing-enable",
              "POST rest/v3/container/_rebalancing-disable",
              "POST rest/v3/caches/*/_rebalancing-enable",
              "POST rest/v3/caches/*/_rebalancing-disable",
              "GET rest/v2/security/roles",
              "GET rest/v2/security/roles/*",
              "GET rest/v2/security/users",
              "GET rest/v2/security/principals",
              "POST rest/v2/security/cache",
              "POST rest/v2/security/roles/*",
              "PUT rest/v2/security/roles/*",
              "DELETE rest/v2/security/roles/*"),
          onlyForAdmins);
      List<String> open =
          routes.stream()
              .filter(route -> route.needed() == Permission.PUBLIC)
              .map(route -> String.join("/", route.pattern()))
              .filter(path -> !path.contains("container") && !path.contains("health"))
              .toList();
      assertEquals(List.of("rest/v2/server", "rest/v3/server", "rest/v2/login"), open);
    }
  }
}
