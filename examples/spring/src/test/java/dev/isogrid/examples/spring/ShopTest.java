package dev.isogrid.examples.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShopTest {
  private static final List<String> PRINTED =
      List.of(
          "computing pears",
          "Offer[item=pears, cents=200]",
          "Offer[item=pears, cents=200]",
          "changing pears",
          "computing pears",
          "Offer[item=pears, cents=200]");

  private static final Path MODULE = Path.of("").toAbsolutePath();

  @Test
  void main_asTheGuideShowsIt_printsWhatTheGuideSays() {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      Shop.main(new String[] {"--spring.main.banner-mode=off", "--logging.level.root=off"});
    } finally {
      System.setOut(before);
    }

    assertEquals(PRINTED, printed.toString(StandardCharsets.UTF_8).lines().toList());
  }

  @Test
  void guide_showsTheProgramAndWhatItPrints() throws IOException {
    String guide = Files.readString(MODULE.resolve("../../docs/spring.md"));
    String program =
        Files.readString(MODULE.resolve("src/main/java/dev/isogrid/examples/spring/Shop.java"));

    assertTrue(guide.contains(program));
    assertTrue(guide.contains(String.join("\n", PRINTED) + "\n"));
  }
}
