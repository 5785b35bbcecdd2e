package dev.isogrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cli.CommandLineSession.Ran;
import dev.isogrid.server.Protection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports of tables as spreadsheets save them. */
class ImportedTablesTest {
  private static final String ROWS = "key,value\r\nname,Müller\r\n\r\n";

  @TempDir Path folder;

  @Test
  void table_keepsItsText_orIsRefused() throws IOException {
    Path table = folder.resolve("table.csv");
    try (CommandServer server = new CommandServer(Protection.NONE)) {
      CommandLineSession cli = new CommandLineSession(folder, server.url());
      cli.run("create", "cache", "--template=org.infinispan.LOCAL", "c");
      Files.writeString(table, "\ufeff" + ROWS);
      Ran imported = cli.run("import", "-c", "c", table.toString());
      assertEquals("imported 1 entries\n", imported.output(), imported::errors);
      assertEquals("Müller\n", cli.run("get", "-c", "c", "name").output());

      Files.writeString(table, ROWS, StandardCharsets.ISO_8859_1);
      Ran refused = cli.run("import", "-c", "c", table.toString());
      assertEquals(ExitCode.FAILED, refused.exitCode());
      assertTrue(refused.errors().contains("it is not UTF-8 text"), refused.errors());
      assertEquals("Müller\n", cli.run("get", "-c", "c", "name").output());
    }
  }
}
