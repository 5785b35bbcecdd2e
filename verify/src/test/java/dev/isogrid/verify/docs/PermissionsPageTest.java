package dev.isogrid.verify.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirement;
import dev.isogrid.server.security.Requirements;
import dev.isogrid.server.security.Roles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Makes the page of the permissions for each request of each protocol. */
class PermissionsPageTest {
  private static final String HEAD =
      """
      # Permissions

      The server decides by the tables on this page. A test generates them from
      `dev.isogrid.server.security.Requirements`. Another test makes each request as each role. The
      [page on logins](logins-and-tls.md) says how users log in.

      ## Roles

      These roles exist unless the configuration defines others. ALL_READ is READ and BULK_READ,
      ALL_WRITE is WRITE and BULK_WRITE. All permissions of a user's roles add up.

      """;

  private static final String CACHES =
      """

      ## Where a permission must hold

      - **server**: all roles of the user count.
      - **cache**: only those roles count that the cache admits. A cache admits all roles, or those
        that its configuration names: `<authorization roles="application"/>`. With
        `enabled="false"` each user who has logged in has all permissions for that cache.
      - **server and cache**: the permission must hold for both; for the server alone if the cache
        does not exist.

      An alias counts as the cache that it stands for, in each request of each protocol.

      A request without a login is refused before the server looks for the cache. So the answer does
      not depend on whether the cache exists. A ping of Hot Rod is answered in the same way for all
      names before the login. A user who has logged in gets "not found" for a cache that does not
      exist, and is refused by one that exists.

      Lists of configurations and summaries leave out caches for which the user lacks MONITOR.

      ### Caches of the server

      | cache | needs |
      |---|---|
      | `___protobuf_metadata` (schemas) | as any cache; CREATE in place of WRITE and BULK_WRITE |
      | other names that begin with `___` | ADMIN, in addition to what any cache needs |
      | names that begin with `org.infinispan.` | no client can reach them |

      No client can create, change or remove these caches, or give them an alias.

      ### Aliases

      A configuration may name aliases. Each must be free or stand for that cache already.
      Otherwise the caller needs ADMIN for the server, for the cache that has the alias, and for the
      cache that gets it. The same holds for a request that assigns a single alias.
      """;

  private static final String REST =
      """

      ## REST

      Paths are without `/rest/v2` or `/rest/v3`; `*` is any name. `?action=NAME` of version 2 is
      the segment `_NAME` at the end of the path in version 3. A request that is in no table needs
      ADMIN. The columns on the right mark the roles that suffice, for caches that admit them. A
      task may need a role in addition (`ServerTask.allowedRole`). A cache that a task gets must
      permit EXEC.

      """;

  private static final String HOT_ROD =
      """

      ## Hot Rod

      `exec` needs what its task needs. Queries and transactions are not carried out: the answer is
      an error for all users.

      """;

  private static final String TASKS =
      """

      ### Tasks of exec

      """;

  private static final String MEMCACHED =
      """

      ## memcached

      All commands use one cache, which the configuration names. `mg` changes nothing for a user who
      lacks WRITE, whatever its flags say. `unknown` stands for words that are no command. Requests
      of the binary protocol need what commands of the same meaning need; logins need nothing.

      """;

  private static String needed(int mask) {
    return mask == Permission.PUBLIC ? "nothing" : Permission.names(mask).replace("+", ", ");
  }

  private static String mark(int role, int needed) {
    int wanted = needed & ~Permission.LOGGED_IN;
    return (role & wanted) == wanted ? "x" : "";
  }

  private static String requests(Collection<Requirement> requirements) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("request", "needs", "for"));
    head.addAll(Roles.PREDEFINED.names());
    rows.add(head);
    for (Requirement each : requirements) {
      boolean needsPermission = (each.needed() & Permission.ALL.mask()) != 0;
      List<String> row = new ArrayList<>();
      row.add("`" + each.request() + "`");
      row.add(needed(each.needed()));
      row.add(needsPermission ? each.on().text() : "");
      Roles.PREDEFINED.masks().values().forEach(role -> row.add(mark(role, each.needed())));
      rows.add(row);
    }
    return GeneratedPage.table(rows);
  }

  private static String roles() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("role", "permissions"));
    Roles.PREDEFINED
        .masks()
        .forEach((name, mask) -> {
          boolean hasAll = mask == Permission.ALL.mask();
          rows.add(List.of("`" + name + "`", hasAll ? "ALL" : needed(mask)));
        });
    return GeneratedPage.table(rows);
  }

  @Test
  void page_ofPermissions_isAsTheCodeHasThem() throws IOException {
    String page =
        HEAD
            + roles()
            + CACHES
            + REST
            + requests(Requirements.rest().values())
            + HOT_ROD
            + requests(Requirements.hotRod().values())
            + TASKS
            + requests(Requirements.tasks())
            + MEMCACHED
            + requests(Requirements.memcached().values());
    GeneratedPage.assertCurrent("docs/permissions.md", PermissionsPageTest.class, page);
  }

  @Test
  void table_ofRows_isMarkdown() {
    assertEquals(
        "| a | b |\n|---|---|\n| 1 | x\\|y |\n",
        GeneratedPage.table(List.of(List.of("a", "b"), List.of("1", "x|y"))));
  }
}
