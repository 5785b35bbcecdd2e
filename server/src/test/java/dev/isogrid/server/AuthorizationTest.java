package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.api.CacheConfig;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Permissions apply to every name that a REST client uses for a cache, and to changes of caches.
 */
class AuthorizationTest {
  private static final String CACHES = "/rest/v2/caches/";
  private static final String SCHEMAS = "___protobuf_metadata";
  private static final String LOCAL = "{\"local-cache\":{}}";

  @TempDir private static Path folder;
  private static SecuredServer secured;

  @BeforeAll
  static void start() {
    secured = SecuredServer.start(folder);
  }

  @BeforeEach
  void create() {
    for (String cache : List.of("plain", "vault", "open", "mine", "mine2")) {
      secured.server().catalog().remove(cache);
    }
    CacheConfig config = SecuredServer.LOCAL;
    secured.create("plain", config, "other");
    secured.create(
        "vault",
        config.toBuilder().authorization(new CacheAuthorization(true, List.of("observer"))).build(),
        "strongbox");
  }

  @AfterAll
  static void close() {
    secured.close();
  }

  private int status(String user, String method, String path, String body)
      throws IOException, InterruptedException {
    return secured.rest(user).send(method, path, body).statusCode();
  }

  private int status(String user, String method, String path)
      throws IOException, InterruptedException {
    return status(user, method, path, "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "other", "vault", "strongbox", SCHEMAS})
  void rest_ofAUserWithoutRoles_isRefusedByEachName(String name) throws Exception {
    for (String action : List.of("entries", "keys", "size", "config", "stats", "memory")) {
      assertEquals(403, status("none", "GET", CACHES + name + "?action=" + action), action);
    }
    for (String action : List.of("clear", "stats-reset", "set-availability")) {
      assertEquals(403, status("none", "POST", CACHES + name + "?action=" + action), action);
    }
    assertEquals(403, status("none", "GET", "/rest/v3/caches/" + name + "/entries"));
    assertEquals(403, status("none", "GET", CACHES + name + "/k"));
    assertEquals(404, status("none", "GET", CACHES + "missing?action=entries"));
    assertEquals(401, status("", "GET", CACHES + "missing?action=entries"));
    assertEquals(401, status("", "GET", CACHES + name + "?action=entries"));
  }

  @Test
  void rest_byAnAlias_answersAsByTheName() throws Exception {
    assertEquals(204, status("application", "PUT", CACHES + "other/k", "v"));
    assertEquals(200, status("observer", "GET", CACHES + "other?action=entries"));
    assertEquals(200, status("observer", "GET", CACHES + "other?action=health"));
    String details = secured.rest("observer").send("GET", CACHES + "other", "").body();
    assertTrue(details.contains("\"aliases\":[\"other\"]"), details);
    String path = CACHES + "other?action=set-mutable-attribute";
    path += "&attribute-name=expiration.lifespan&attribute-value=5000";
    assertEquals(204, status("admin", "POST", path));
    assertEquals(5000, secured.config("plain").lifespanMillis());
  }

  @ParameterizedTest
  @CsvSource({
    "PUT,    " + CACHES + SCHEMAS + "/x.proto",
    "POST,   " + CACHES + SCHEMAS + "/y.proto",
    "DELETE, " + CACHES + SCHEMAS + "/x.proto",
    "POST,   " + CACHES + SCHEMAS + "?action=clear",
    "PUT,    /rest/v3/caches/" + SCHEMAS + "/entries/x.proto",
    "POST,   /rest/v3/caches/" + SCHEMAS + "/_clear"
  })
  void rest_writesOfSchemas_needCreate(String method, String path) throws Exception {
    HttpResponse<String> refusal = secured.rest("application").send(method, path, "");
    assertEquals(403, refusal.statusCode());
    assertTrue(refusal.body().contains("lacking=CREATE"), refusal.body());
    assertTrue(status("deployer", method, path) < 500);
    assertFalse(List.of(401, 403).contains(status("deployer", method, path)));
    assertEquals(200, status("observer", "GET", CACHES + SCHEMAS + "?action=keys"));
  }

  @ParameterizedTest
  @CsvSource({
    "POST, mine, ''",
    "PUT,  mine, ''",
    "POST, mine, UPDATE",
    "PUT,  mine2, ''",
    "PUT,  plain, ''"
  })
  void alias_ofAnotherCache_isTakenByAnAdministratorOnly(String method, String name, String flags)
      throws Exception {
    String document = "{\"local-cache\":{\"aliases\":[\"strongbox\"]}}";
    RestCaller deployer = secured.rest("deployer").flags(flags);
    assertEquals(403, deployer.send(method, CACHES + name, document).statusCode());
    assertEquals("vault", secured.aliased("strongbox"));
    // An administrator whom the vault does not admit has no rights on its aliases either.
    assertEquals(403, status("admin", method, CACHES + name, document));
    assertEquals("vault", secured.aliased("strongbox"));
    document = "{\"local-cache\":{\"aliases\":[\"other\"]}}";
    assertEquals(
        name.equals("plain") ? 200 : 403, status("deployer", "PUT", CACHES + name, document));
    assertEquals(200, status("admin", "PUT", CACHES + name, document));
    assertEquals(name, secured.aliased("other"));
  }

  @Test
  void alias_thatIsFree_isGivenByADocument() throws Exception {
    String document = "{\"local-cache\":{\"aliases\":[\"fresh\"]}}";
    assertEquals(200, status("deployer", "POST", CACHES + "mine", document));
    assertEquals("mine", secured.aliased("fresh"));
    assertEquals(200, status("deployer", "PUT", CACHES + "mine", document));
    assertEquals(403, status("deployer", "PUT", CACHES + "vault", document));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        CACHES + "plain?action=assign-alias&alias=fresh",
        "/rest/v3/caches/plain/_assign-alias?alias=fresh",
        CACHES + "open?action=assign-alias&alias=fresh",
        CACHES
            + "open?action=set-mutable-attribute&attribute-name=expiration.lifespan"
            + "&attribute-value=5",
        "/rest/v3/caches/open/config/attributes/expiration.lifespan?attribute-value=5"
      })
  void settings_byAnAction_needAdminOnTheServerToo(String path) throws Exception {
    secured.create(
        "open",
        SecuredServer.LOCAL.toBuilder().authorization(CacheAuthorization.OFF).build(),
        "opened");
    assertEquals(403, status("deployer", "POST", path));
    assertEquals(204, status("admin", "POST", path));
  }

  @Test
  void cache_thatDoesNotAdmitTheCaller_isNeitherRemovedNorChanged() throws Exception {
    for (String user : List.of("admin", "deployer")) {
      assertEquals(403, status(user, "DELETE", CACHES + "vault"));
      assertEquals(403, status(user, "DELETE", "/rest/v3/caches/vault"));
      assertEquals(403, status(user, "PUT", CACHES + "vault", LOCAL));
      assertEquals(403, status(user, "POST", CACHES + "vault", LOCAL));
    }
    assertNotNull(secured.config("vault"));
    assertEquals(200, status("deployer", "DELETE", CACHES + "plain"));
    assertEquals(404, status("deployer", "DELETE", CACHES + "plain"));
  }

  @Test
  void listings_ofConfigurations_leaveOutWhatTheCallerMayNotSee() throws Exception {
    for (String path : List.of("container/cache-configs", "caches?action=detailed")) {
      String seen = secured.rest("monitor").send("GET", "/rest/v2/" + path, "").body();
      assertTrue(seen.contains("\"plain\""), seen);
      assertFalse(seen.contains("\"vault\""), seen);
      assertTrue(
          secured
              .rest("observer")
              .send("GET", "/rest/v2/" + path, "")
              .body()
              .contains("\"vault\""));
    }
  }
}
