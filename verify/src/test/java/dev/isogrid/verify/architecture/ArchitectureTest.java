package dev.isogrid.verify.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks the direction of dependencies in the compiled project, and shows that the rules work. */
class ArchitectureTest {
  /** A module of its own, outside of the product. */
  private static final String TEST_SUPPORT = "dev/isogrid/testkit/";

  private static final String BAD = "dev.isogrid.verify.architecture.bad";

  @Test
  void modules_asCompiled_keepTheDirection() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains(TEST_SUPPORT))
            .importPackages("dev.isogrid");
    assertFalse(classes.isEmpty(), "no classes found");

    String violations =
        new Architecture("dev.isogrid")
            .rules().stream()
                .map(rule -> rule.evaluate(classes))
                .filter(EvaluationResult::hasViolation)
                .map(result -> result.getFailureReport().toString())
                .collect(Collectors.joining("\n"));
    assertEquals("", violations);
  }

  @Test
  void badProject_breaksEachKindOfRule() {
    JavaClasses classes = new ClassFileImporter().importPackages(BAD);

    List<String> broken =
        new Architecture(BAD)
            .rules().stream()
                .filter(rule -> rule.evaluate(classes).hasViolation())
                .map(ArchRule::getDescription)
                .sorted()
                .toList();
    assertEquals(
        List.of(
            "api uses only the JDK and JSpecify",
            "every package is one of those in the design",
            "only [server, cluster] may use io.netty",
            "slices matching '" + BAD + ".(**)' should be free of cycles",
            "store may use only [api, base, codec, store, wire]",
            "the protocol memcached knows no other"),
        broken);
  }
}
