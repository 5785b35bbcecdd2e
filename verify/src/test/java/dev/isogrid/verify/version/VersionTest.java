package dev.isogrid.verify.version;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.Server;
import dev.isogrid.verify.Project;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The server reports the version of its build. */
class VersionTest {
  @Test
  void version_ofTheServer_isThatOfTheBuild() throws IOException {
    String pom = Files.readString(Project.root().resolve("pom.xml"));
    assertTrue(pom.contains("\n  <version>" + Server.VERSION + "</version>"), Server.VERSION);
  }
}
