package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.server.hotrod.OperationSample;
import dev.isogrid.server.memcached.BinarySample;
import dev.isogrid.server.memcached.CommandSample;
import dev.isogrid.server.rest.RouteSample;
import dev.isogrid.server.security.Permission;
import dev.isogrid.server.security.Requirement;
import dev.isogrid.server.security.Requirement.On;
import dev.isogrid.server.security.Requirements;
import dev.isogrid.wire.Opcodes;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes each request of each protocol without a login, as a user without roles and as one of each
 * role, on caches of each kind, by name and by alias. Compares the refusals with the table. A
 * request that is not in the table, or that has no sample, fails the test.
 */
class PermissionsTest {
  private static final int READ_TIMEOUT_MILLIS = 30_000;
  private static final String NOBODY = "";
  private static final String VAULT_ROLE = "observer";
  private static final String SCHEMAS = "___protobuf_metadata";
  private static final String INTERNAL = "___internal";

  /** As in the documentation. */
  private static final Map<String, Set<Permission>> ROLES =
      Map.of(
          SecuredServer.ROLELESS,
          Set.of(),
          "admin",
          Set.of(Permission.ALL),
          "deployer",
          Set.of(
              Permission.ALL_READ,
              Permission.ALL_WRITE,
              Permission.LISTEN,
              Permission.EXEC,
              Permission.MONITOR,
              Permission.CREATE),
          "application",
          Set.of(
              Permission.ALL_READ,
              Permission.ALL_WRITE,
              Permission.LISTEN,
              Permission.EXEC,
              Permission.MONITOR),
          "observer",
          Set.of(Permission.ALL_READ, Permission.MONITOR),
          "monitor",
          Set.of(Permission.MONITOR));

  /** The relation of a cache's permissions to those of the server. */
  private enum Kind {
    /** It admits all roles. */
    USUAL,
    /** It admits {@link #VAULT_ROLE} only. */
    CLOSED,
    /** Roles don't matter. */
    OPEN,
    SCHEMAS,
    INTERNAL,
    /** Clients can't reach it, or it does not exist. */
    ABSENT
  }

  private static final Map<String, Kind> CACHES = new LinkedHashMap<>();

  static {
    CACHES.put("plain", Kind.USUAL);
    CACHES.put("plain-alias", Kind.USUAL);
    CACHES.put("vault", Kind.CLOSED);
    CACHES.put("vault-alias", Kind.CLOSED);
    CACHES.put("open-alias", Kind.OPEN);
    CACHES.put("missing", Kind.ABSENT);
    CACHES.put(SCHEMAS, Kind.SCHEMAS);
    CACHES.put(INTERNAL, Kind.INTERNAL);
    CACHES.put("org.infinispan.CONFIG", Kind.ABSENT);
    CACHES.put("org.infinispan.COUNTER", Kind.ABSENT);
  }

  @TempDir private static Path folder;
  private static SecuredServer secured;

  private final Set<String> wrong = new LinkedHashSet<>();
  private int made;

  @BeforeAll
  static void start() {
    secured = SecuredServer.start(folder);
    secured.server().node().internalCache(INTERNAL);
    secured.server().node().counterTable();
    restore();
  }

  @AfterAll
  static void close() {
    secured.close();
  }

  /** Undoes the changes of requests to caches. */
  private static void restore() {
    secured.create("plain", SecuredServer.LOCAL, "plain-alias");
    secured.create(
        "vault",
        SecuredServer.LOCAL.toBuilder()
            .authorization(new CacheAuthorization(true, List.of(VAULT_ROLE)))
            .build(),
        "vault-alias");
    secured.create(
        "open",
        SecuredServer.LOCAL.toBuilder().authorization(CacheAuthorization.OFF).build(),
        "open-alias");
    secured.server().catalog().remove("missing");
  }

  private static List<String> users() {
    List<String> users = new ArrayList<>(List.of(NOBODY, SecuredServer.ROLELESS));
    users.addAll(SecuredServer.ROLES);
    return users;
  }

  /** For requests for which the server's own caches are unreachable, whoever makes them. */
  private static Kind forUsers(String cache) {
    Kind kind = Objects.requireNonNull(CACHES.get(cache));
    return kind == Kind.SCHEMAS || kind == Kind.INTERNAL ? Kind.ABSENT : kind;
  }

  private static int mask(Set<Permission> permissions) {
    return permissions.stream().mapToInt(Permission::mask).reduce(0, (a, b) -> a | b);
  }

  private static int onCache(String user, Kind kind) {
    int mask = mask(Objects.requireNonNull(ROLES.get(user)));
    int writes = Permission.ALL_WRITE.mask();
    return switch (kind) {
      case USUAL -> mask;
      case CLOSED -> user.equals(VAULT_ROLE) ? mask : 0;
      case OPEN, ABSENT -> Permission.ALL.mask();
      case SCHEMAS -> (mask & Permission.CREATE.mask()) != 0 ? mask | writes : mask & ~writes;
      case INTERNAL -> user.equals("admin") ? mask : 0;
    };
  }

  private static boolean isAllowed(String user, Requirement requirement, Kind kind) {
    if (requirement.needed() == Permission.PUBLIC) {
      return true;
    }
    if (user.equals(NOBODY)) {
      return false;
    }
    int needed = requirement.needed() & ~Permission.LOGGED_IN;
    int onServer = mask(Objects.requireNonNull(ROLES.get(user)));
    boolean serverAllows = requirement.on() == On.CACHE || (onServer & needed) == needed;
    boolean cacheAllows = requirement.on() == On.SERVER || (onCache(user, kind) & needed) == needed;
    return serverAllows && cacheAllows;
  }

  private void expect(
      String user, String request, boolean allowed, boolean refused, String answer) {
    made++;
    if (allowed == refused) {
      wrong.add(
          "%s as %s: %s but %s"
              .formatted(
                  request,
                  user.isEmpty() ? "nobody" : user,
                  allowed ? "permitted" : "not permitted",
                  answer));
    }
  }

  private void assertAllRight(int madeAtLeast) {
    assertEquals("", String.join("\n", wrong));
    assertTrue(made >= madeAtLeast, "requests made: " + made);
  }

  // ---- REST

  @Test
  void rest_ofEachRoute_isRefusedAsTheTableSays() throws Exception {
    secured.version(HttpClient.Version.HTTP_1_1);
    restOfEachRoute(CACHES.keySet(), users());
    assertAllRight(3000);
  }

  /** Those that are refused most, by the name that hides most. */
  @Test
  void rest_ofEachRoute_isRefusedByHttp2AsTheTableSays() throws Exception {
    secured.version(HttpClient.Version.HTTP_2);
    List<String> users = List.of(NOBODY, SecuredServer.ROLELESS, VAULT_ROLE);
    restOfEachRoute(Set.of("vault-alias"), users);
    for (String user : users) {
      assertEquals(HttpClient.Version.HTTP_2, secured.rest(user).spoken());
    }
    assertAllRight(400);
  }

  private void restOfEachRoute(Set<String> caches, List<String> users) throws Exception {
    for (RouteSample sample : RouteSample.all()) {
      for (String cache : sample.namesCache() ? caches : Set.of("plain")) {
        boolean isOnUsers = sample.requirement().on() == On.SERVER_AND_CACHE;
        Kind kind = isOnUsers ? forUsers(cache) : Objects.requireNonNull(CACHES.get(cache));
        for (String user : users) {
          boolean allowed = isAllowed(user, sample.requirement(), kind);
          if (!allowed || !sample.stopsServer()) {
            rest(user, sample, cache, allowed);
          }
        }
      }
    }
  }

  private void rest(String user, RouteSample sample, String cache, boolean allowed)
      throws IOException, InterruptedException {
    if (!sample.method().equals("GET")) {
      restore();
    }
    String path =
        sample.path().replace(RouteSample.CACHE, cache).replace(RouteSample.FRESH, "fresh" + made);
    int status = secured.rest(user).status(sample.method(), path, sample.body());
    boolean refused = status == (user.isEmpty() ? 401 : 403);
    boolean isOther = status == (user.isEmpty() ? 403 : 401);
    String request = sample.method() + " " + path;
    expect(user, request, allowed && !isOther, refused, "answered by " + status);
  }

  // ---- Hot Rod

  /** A Hot Rod connection with a user's login. */
  private static final class HotRodCaller implements AutoCloseable {
    private final Socket socket = new Socket();

    HotRodCaller(String user) throws IOException {
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.connect(secured.server().address());
      if (!user.isEmpty()) {
        assertFalse(
            OperationSample.isRefused(call(OperationSample.login(user, SecuredServer.PASSWORD))));
      }
    }

    String call(byte[] request) throws IOException {
      socket.getOutputStream().write(request);
      return OperationSample.read(socket.getInputStream());
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void hotRod_ofEachOperation_isRefusedAsTheTableSays() throws IOException {
    assertEquals(OperationSample.operations(), new TreeSet<>(Requirements.hotRod().keySet()));
    for (String user : users()) {
      try (HotRodCaller caller = new HotRodCaller(user)) {
        for (int operation : OperationSample.operations()) {
          if (OperationSample.isReadable(operation) && operation != Opcodes.EXEC) {
            hotRod(user, caller, operation);
          }
        }
      }
    }
    assertAllRight(2000);
  }

  private void hotRod(String user, HotRodCaller caller, int operation) throws IOException {
    Requirement requirement = Objects.requireNonNull(Requirements.hotRod().get(operation));
    boolean isOnCaches = requirement.on() == On.CACHE && OperationSample.isSupported(operation);
    boolean isPing = operation == Opcodes.PING;
    for (String cache : isOnCaches || isPing ? CACHES.keySet() : Set.of("plain")) {
      String response = caller.call(OperationSample.request(operation, cache));
      expect(
          user,
          Opcodes.describe(operation) + " on " + cache,
          isAllowed(user, requirement, Objects.requireNonNull(CACHES.get(cache))),
          OperationSample.isRefused(response),
          response);
    }
  }

  @Test
  void hotRod_ping_tellsStrangersNothingOfCaches() throws IOException {
    Set<String> answers = new LinkedHashSet<>();
    Set<String> refusals = new LinkedHashSet<>();
    try (HotRodCaller stranger = new HotRodCaller(NOBODY)) {
      for (String cache : CACHES.keySet()) {
        answers.add(stranger.call(OperationSample.request(Opcodes.PING, cache)));
        refusals.add(stranger.call(OperationSample.request(Opcodes.GET, cache)));
      }
      answers.add(stranger.call(OperationSample.request(Opcodes.PING, "")));
    }
    assertEquals(1, answers.size(), answers.toString());
    assertTrue(answers.iterator().next().contains("status=0,"), answers.toString());
    assertEquals(1, refusals.size(), refusals.toString());
  }

  @Test
  void hotRod_ofEachTask_isRefusedAsTheTableSays() throws IOException {
    for (String user : users()) {
      try (HotRodCaller caller = new HotRodCaller(user)) {
        for (Requirement requirement : Requirements.tasks()) {
          boolean isOnCaches = requirement.on() == On.SERVER_AND_CACHE;
          for (String cache : isOnCaches ? CACHES.keySet() : Set.of("plain")) {
            restore();
            boolean isDeployed = !requirement.request().startsWith("@@");
            Kind kind = isDeployed ? Objects.requireNonNull(CACHES.get(cache)) : forUsers(cache);
            String response = caller.call(task(requirement.request(), cache));
            expect(
                user,
                requirement.request() + " on " + cache,
                isAllowed(user, requirement, kind),
                OperationSample.isRefused(response),
                response);
          }
        }
      }
    }
    assertAllRight(450);
  }

  private byte[] task(String name, String cache) {
    return switch (name) {
      case "@@cache@create", "@@cache@getorcreate" ->
          OperationSample.task(name, "", Map.of("name", cache));
      case "@@cache@remove" -> OperationSample.task(name, "", Map.of("name", cache));
      case "@@cache@updateConfigurationAttribute" ->
          OperationSample.task(
              name, "", Map.of("name", cache, "attribute", "expiration.lifespan", "value", "5000"));
      case "@@cache@assignAlias" ->
          OperationSample.task(name, "", Map.of("name", cache, "alias", "taken" + made));
      case "@@cache@names", "@@cache@templates" -> OperationSample.task(name, "", Map.of());
      case "@@cache@reindex", "@@cache@updateindexschema" ->
          OperationSample.task(name, "", Map.of("name", cache));
      case "@@template@create" ->
          OperationSample.task(
              name, "", Map.of("name", "t" + made, "configuration", "{\"local-cache\":{}}"));
      case "@@template@remove" -> OperationSample.task(name, "", Map.of("name", "absent"));
      case "@@schemas@createOrUpdate" ->
          OperationSample.task(
              name, "", Map.of("name", "s.proto", "content", "message M {}", "op", "s"));
      case "@@schemas@delete" -> OperationSample.task(name, "", Map.of("name", "s.proto"));
      case "a deployed task" -> OperationSample.task("wordcount", cache, Map.of());
      default -> throw new AssertionError("no sample of a task: name=" + name);
    };
  }

  // ---- memcached

  private static String talk(String text) throws IOException {
    return new String(talk(text.getBytes(StandardCharsets.US_ASCII)), StandardCharsets.US_ASCII);
  }

  private static byte[] talk(byte[]... requests) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      InetSocketAddress address = secured.server().memcachedAddress();
      socket.connect(address);
      for (byte[] request : requests) {
        socket.getOutputStream().write(request);
      }
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      return in.readAllBytes();
    }
  }

  @Test
  void memcached_ofEachCommand_isRefusedAsTheTableSays() throws IOException {
    assertEquals(
        new TreeSet<>(CommandSample.words()), new TreeSet<>(Requirements.memcached().keySet()));
    for (String user : users()) {
      String password = user + " " + SecuredServer.PASSWORD;
      String login =
          user.isEmpty() ? "" : "set a 0 0 %d\r\n%s\r\n".formatted(password.length(), password);
      for (String word : CommandSample.words()) {
        Requirement requirement = Objects.requireNonNull(Requirements.memcached().get(word));
        String answer = talk(login + CommandSample.of(word));
        String last = user.isEmpty() ? answer : answer.substring("STORED\r\n".length());
        boolean refused =
            user.isEmpty() ? !last.isEmpty() : last.startsWith("CLIENT_ERROR not permitted");
        expect(
            user, "memcached " + word, isAllowed(user, requirement, Kind.USUAL), refused, answer);
      }
    }
    assertAllRight(180);
  }

  @Test
  void memcached_ofEachBinaryRequest_isRefusedAsTheTableSays() throws IOException {
    for (String user : users()) {
      byte[] login =
          user.isEmpty() ? new byte[0] : BinarySample.login(user, SecuredServer.PASSWORD);
      for (String name : BinarySample.names()) {
        String word = BinarySample.word(name);
        Requirement requirement = Objects.requireNonNull(Requirements.memcached().get(word));
        List<String> answers = BinarySample.read(talk(login, BinarySample.of(name)));
        boolean refused = answers.stream().anyMatch(line -> line.contains(" st=20 "));
        // Before a login even this is refused; the connection ends in both cases.
        boolean isQuit = word.equals("quit");
        expect(
            user,
            "memcached " + name,
            isAllowed(user, requirement, Kind.USUAL) && !(isQuit && user.isEmpty()),
            refused,
            answers.toString());
      }
    }
    assertAllRight(200);
  }
}
