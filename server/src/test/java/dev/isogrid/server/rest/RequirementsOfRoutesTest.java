package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirement;
import dev.isogrid.server.security.Requirements;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each route has its line in the table of requirements, and each line has a route. */
class RequirementsOfRoutesTest {
  private static Set<String> requests(List<RouteSample> samples) {
    return samples.stream()
        .map(sample -> sample.requirement().request())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void table_hasALineForEachRoute_andNoOther() {
    assertEquals(new TreeSet<>(Requirements.rest().keySet()), requests(RouteSample.all()));
  }

  @Test
  void routes_withoutALogin_areThoseForProbes() {
    List<RouteSample> open =
        RouteSample.all().stream()
            .filter(sample -> sample.requirement().needed() == Permission.PUBLIC)
            .toList();
    assertEquals(
        Set.of(
            "GET /container/health/status",
            "GET /cache-managers/*/health/status",
            "GET /server",
            "GET /login?action=config",
            "GET /health/live",
            "GET /health/ready"),
        requests(open));
  }

  @Test
  void routes_onCaches_areNotDecidedForTheServerAlone() {
    List<RouteSample> onServer =
        RouteSample.all().stream()
            .filter(RouteSample::namesCache)
            .filter(sample -> sample.requirement().on() == Requirement.On.SERVER)
            .toList();
    assertEquals(List.of(), onServer);
  }
}
