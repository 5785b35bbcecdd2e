package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Official Hot Rod clients for Java from 9.4 to 16, each in a process of its own, with their
 * versions of the protocol. {@code install.sh} puts them into folders.
 */
@Tag("interop")
@Tag("deep")
class ClientMatrixTest {
  private static final String PROTO_STREAM =
      "org.infinispan.commons.marshall.ProtoStreamMarshaller";
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = ServerProcess.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "16.0.12, default, default 30 31 40 41",
    "16.0.12, " + PROTO_STREAM + ", default 31",
    "15.2.6.Final, default, default 30 31 40 41",
    "15.2.6.Final, " + PROTO_STREAM + ", default 31",
    "15.0.21.Final, default, default 20 21 22 23 24 25 26 27 28 29 30 31 40",
    "15.0.21.Final, " + PROTO_STREAM + ", default 20 25 29 31",
    "9.4.24.Final, default, default 20 21 22 23 24 25 26 27 28 29",
  })
  void client_ofAVersion_works(String client, String marshaller, String versions) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", "../target/clients/" + client + "/*", "HotRodMatrix.java"));
    command.addAll(List.of(String.valueOf(server.port()), marshaller));
    command.addAll(List.of(versions.split(" ")));
    Programs.Result result = Programs.run("verify/interop", command);
    assertEquals(0, result.exitCode(), result.output());
    assertTrue(result.output().contains("all good"), result.output());
  }
}
