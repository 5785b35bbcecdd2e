package dev.isogrid.verify.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirement;
import dev.isogrid.server.security.Requirements;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Makes the page of all REST requests; each request of the server has its meaning here. */
class RoutesPageTest {
  private static final String HEAD =
      """
      # Requests of REST

      A test generates this page from the list of requests that the server permits. After this page
      you know what each request does, and which permission it needs.

      Paths are without `/rest/v2` or `/rest/v3`, except `/metrics` and `/health/...`, which have
      no such beginning, and `/openapi`, which needs none; `*` is any name. `?action=NAME` of
      version 2 is the segment `_NAME` at the end of the path in version 3.
      [Permissions](../permissions.md) says which roles have them.

      """;

  private static String needed(Requirement requirement) {
    int mask = requirement.needed();
    return mask == Permission.PUBLIC ? "nothing" : Permission.names(mask).replace("+", ", ");
  }

  @Test
  void page_ofTheRequests_isAsTheServerKnowsThem() throws IOException {
    Map<String, String> meanings = new TreeMap<>();
    for (List<String> row : Rows.of(Requirements.class, "/dev/isogrid/server/rest/routes.txt")) {
      meanings.put(row.getFirst(), row.get(1));
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("request", "needs", "meaning"));
    for (Requirement each : Requirements.rest().values()) {
      String meaning = meanings.remove(each.request());
      rows.add(
          List.of(
              "`" + each.request() + "`",
              needed(each),
              meaning == null ? "NO MEANING in routes.txt" : meaning));
    }
    assertEquals(Map.of(), meanings, "requests that the server does not know");
    String page = HEAD + GeneratedPage.table(rows);
    assertEquals(-1, page.indexOf("NO MEANING"), page);
    GeneratedPage.assertCurrent("docs/reference/rest.md", RoutesPageTest.class, page);
  }
}
