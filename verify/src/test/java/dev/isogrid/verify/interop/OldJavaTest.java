package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.pooled.ConnectionPools;
import dev.isogrid.node.Node;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import dev.isogrid.server.security.ClientCertificates;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.TlsSettings;
import dev.isogrid.server.security.Users;
import dev.isogrid.verify.Project;
import dev.isogrid.wire.Versions;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The oldest Java that the modules for applications support: a process of it loads their classes
 * and uses the client, with a server in this JVM. {@code install.sh} installs that Java. Skipped if
 * there is none.
 */
@Tag("interop")
class OldJavaTest {
  private static final int VERSION = 17;
  private static final String HOME = "JAVA17_HOME";
  private static final String PASSWORD = "secret";

  /** A class of each module that supports it. */
  private static final List<Class<?>> MODULES =
      List.of(Grid.class, Versions.class, RemoteCache.class, ConnectionPools.class);

  /** A class of each module that does not. */
  private static final List<Class<?>> NEWER = List.of(Node.class, Server.class, OldJavaTest.class);

  @TempDir private Path folder;

  @Test
  void client_works() throws Exception {
    try (Server server = server(Protection.NONE)) {
      check(server);
    }
  }

  @Test
  void client_withTlsAndLogin_works() throws Exception {
    Users users = new Users(folder, SecuritySettings.REALM);
    users.create("ada", PASSWORD, List.of("admin"));
    String store = folder.resolve("server.p12").toString();
    String certificate = folder.resolve("server.crt").toString();
    keytool(
        store, "-genkeypair", "-keyalg", "EC", "-dname", "CN=server", "-ext", "SAN=dns:grid.test");
    keytool(store, "-exportcert", "-rfc", "-file", certificate);
    SecuritySettings.Login login =
        new SecuritySettings.Login(
            SecuritySettings.REALM, SecuritySettings.SERVER_NAME, true, true, null, null, false);
    TlsSettings tls =
        new TlsSettings(
            new TlsSettings.KeyStoreFile(Path.of(store), PASSWORD, null),
            new TlsSettings.Trust(Path.of(certificate), null),
            ClientCertificates.WANTED);
    SecuritySettings security = new SecuritySettings(login, Roles.PREDEFINED, false, folder);
    try (Server server = server(new Protection(security, tls))) {
      check(server, certificate, "ada", PASSWORD);
    }
  }

  private static void keytool(String store, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-alias", "a", "-storepass", PASSWORD, "-keystore", store));
    Programs.Result result = Programs.run(".", command);
    assertEquals(0, result.exitCode(), result.output());
  }

  private static Server server(Protection protection) {
    return Server.start(ServerSettings.local(0, GridConfig.builder().build(), protection));
  }

  private void check(Server server, String... more) throws Exception {
    String classPath = folder + File.pathSeparator + classPath();
    compile(classPath);
    List<String> names = classNames();
    Path namesFile = Files.write(folder.resolve("classes"), names);

    List<String> command = new ArrayList<>();
    command.add(java().toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-ea"));
    command.addAll(List.of("-cp", classPath, "ClientCheck"));
    command.addAll(List.of(String.valueOf(server.address().getPort()), namesFile.toString()));
    command.addAll(Arrays.asList(more));
    Programs.Result result = Programs.run("verify", command);
    assertEquals(0, result.exitCode(), result.output());
    String expected = "all good: java=%d, classes=%d".formatted(VERSION, names.size());
    assertTrue(result.output().contains(expected), result.output());
  }

  /** Compiles the program for the old version: a runtime alone has no compiler. */
  private void compile(String classPath) {
    ByteArrayOutputStream problems = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                problems,
                "--release",
                String.valueOf(VERSION),
                "-proc:none",
                "-d",
                folder.toString(),
                "-cp",
                classPath,
                Project.root().resolve("verify/interop/ClientCheck.java").toString());
    assertEquals(0, status, () -> problems.toString(StandardCharsets.UTF_8));
  }

  /** The class path of this JVM without the modules that need a newer Java. */
  private static String classPath() {
    List<Path> newer = NEWER.stream().map(OldJavaTest::location).toList();
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !newer.contains(Path.of(entry)))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All classes of these modules. */
  private static List<String> classNames() {
    List<Path> modules = MODULES.stream().map(OldJavaTest::location).toList();
    return new ClassFileImporter()
        .importPaths(modules).stream().map(JavaClass::getName).sorted().toList();
  }

  private static Path java() throws IOException {
    String given = System.getenv(HOME);
    if (given != null) {
      return Path.of(given, "bin", "java");
    }
    Path found = null;
    try (DirectoryStream<Path> homes = Files.newDirectoryStream(Path.of("/usr/lib/jvm"))) {
      for (Path home : homes) {
        found = isOfVersion(home) ? home.resolve("bin/java") : found;
      }
    }
    if (found == null) {
      return Assumptions.abort(
          "no Java " + VERSION + "; set " + HOME + " or run verify/interop/install.sh");
    }
    return found;
  }

  private static boolean isOfVersion(Path home) throws IOException {
    Path release = home.resolve("release");
    return Files.isExecutable(home.resolve("bin/java"))
        && Files.isRegularFile(release)
        && Files.readString(release).contains("JAVA_VERSION=\"" + VERSION);
  }
}
