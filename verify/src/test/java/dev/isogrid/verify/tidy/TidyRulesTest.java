package dev.isogrid.verify.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Shows for each rule a small file that breaks it, and one that does not. */
class TidyRulesTest {
  private static final String MAIN = "grid/src/main/java/dev/isogrid/store/Sample.java";
  private static final String TEST = "grid/src/test/java/dev/isogrid/store/Sample.java";
  private static final JavaSource PACKAGE_INFO =
      JavaSource.parse(
          "grid/src/main/java/dev/isogrid/store/package-info.java",
          "@NullMarked\npackage dev.isogrid.store;\n");

  /** A file that names the type Sample, so that it is not dead. */
  private static final JavaSource USER =
      JavaSource.parse(
          "grid/src/test/java/dev/isogrid/store/UserTest.java",
          "package dev.isogrid.store;\nclass UserTest { Sample sample; }\n");

  @Test
  void line_tooLong_isReported() {
    assertReported("longer than 100", "class Sample {} // " + "x".repeat(100));
    assertClean("class Sample {} // " + "x".repeat(81));
  }

  @Test
  void unfinishedMark_inComment_isReported() {
    assertReported("unfinished", "class Sample {} // TO" + "DO later");
    assertReported("unfinished", "/** FIX" + "ME. */ class Sample {}");
    assertReported("unfinished", "class Sample {} // XX" + "X");
    assertClean("class Sample { int todo; }");
  }

  @Test
  void apostrophe_inALoggedPattern_isReported() {
    assertReported("apostrophe", "class Sample { void f() { log.log(W, \"can't: {0}\", 1); } }");
    assertReported(
        "apostrophe", "class Sample { void f() { log.log(W, \"can't: \" + \"{0}\", 1); } }");
    assertClean("class Sample { void f() { log.log(W, \"can''t: {0}\", 1); } }");
    assertClean("class Sample { void f() { log.log(W, \"can't\", failure); } }");
    assertClean("class Sample { void f() { log.log(W, \"can't\"); } }");
  }

  @Test
  void prose_thatNeedsASecondReading_isReported() {
    for (String text :
        List.of(
            "Who closes it waits.",
            "Done. What is left is thrown away.",
            "Is told of all.",
            "One of whom nothing is known.",
            "Says what comes of it.",
            "Has the entries sent.")) {
      assertNotNull(Prose.problem("api/src/Sample.java", "  /** " + text + " */"), text);
      assertNull(Prose.problem("grid/src/Sample.java", "  /** " + text + " */"), text);
      assertNull(Prose.problem("api/src/Sample.java", "  f(\"" + text + "\");"), text);
    }
    assertNull(Prose.problem("api/src/Sample.java", "  // The caller that closes it waits."));
  }

  @Test
  void suppression_withoutReason_isReported() {
    assertReported("without its reason", "@SuppressWarnings(\"unchecked\")\nclass Sample {}");
    assertReported("without its reason", "@Disabled\nclass Sample {}");
    assertClean("@SuppressWarnings(\"unchecked\") // the array never escapes\nclass Sample {}");
    assertClean("@Disabled(\"needs two machines\")\nclass Sample {}");
  }

  @Test
  void typeName_thatSaysNothing_isReported() {
    for (String name :
        List.of(
            "CacheManager",
            "CacheHelper",
            "CacheUtil",
            "CacheUtils",
            "CacheImpl",
            "CacheBase",
            "AbstractCache",
            "CacheInfo",
            "CacheData")) {
      assertReported("name says nothing", "class Sample { interface " + name + " {} }");
    }
    assertClean("class Sample { interface Database {} }");
  }

  @Test
  void packageName_ofAKind_isReported() {
    assertReportedAt(
        "grid/src/main/java/dev/isogrid/store/util/Sample.java",
        "named by kind",
        "package dev.isogrid.store.util;\nclass Sample {}");
  }

  @Test
  void method_tooLong_isReportedUnlessListed() {
    String longMethod = "class Sample {\n  void run() {\n" + "\n".repeat(69) + "  }\n}\n";
    String id = MAIN + "#run";
    assertReported("method of 71 lines", longMethod);
    assertEquals(List.of(), check(Set.of(id), source(MAIN, longMethod)));
    assertClean(longMethod.replaceFirst("\n\n", "\n"));
  }

  @Test
  void method_tooLongForTheList_isReported() {
    String method = "class Sample {\n  void run() {\n" + "\n".repeat(99) + "  }\n}\n";
    assertHas("method of 101 lines", check(Set.of(MAIN + "#run"), source(MAIN, method)));
  }

  @Test
  void listOfLongMethods_withShortMethod_isReported() {
    JavaSource source = source(MAIN, "class Sample { void run() {} }");
    assertHas("take it off the list", check(Set.of(MAIN + "#run"), source));
  }

  @Test
  void class_tooLong_needsEssay() {
    String body = "\n".repeat(500);
    assertReported("without an essay", "class Sample {" + body + "}");
    assertClean("class Sample {\n  /*\n   * Why.\n   */" + body + "}");
  }

  @Test
  void bannedCall_isReported() {
    assertReported("System.currentTimeMillis", statement("long t = System.currentTimeMillis();"));
    assertReported("System.nanoTime", statement("long t = System.nanoTime();"));
    assertReported("System.nanoTime", statement("LongSupplier s = System::nanoTime;"));
    assertReported("Math.random", statement("double d = Math.random();"));
    assertReported("Thread.sleep", statement("Thread.sleep(1);"));
    assertReported("new Thread", statement("new Thread(this::run).start();"));
    assertReported("sun.misc.Unsafe", "import sun.misc.Unsafe; class Sample {}");
    assertReported("printStackTrace", statement("new Exception().printStackTrace();"));
  }

  @Test
  void bannedCall_whereItMayBe_isNotReported() {
    assertClean(statement("Thread.sleep(1); // tidy: paces the retries of a real process"));
    assertClean(statement("new Exception().printStackTrace(writer);"));
    assertClean(statement("String s = \"System.nanoTime()\"; // not System.nanoTime()"));
    assertReported("Thread.sleep", statement("Thread.sleep(1); // tidy: "));
    JavaSource test =
        JavaSource.parse(
            TEST, "package dev.isogrid.store;\n" + statement("long t = System.nanoTime();"));
    assertEquals(List.of(), check(Set.of(), test));
    JavaSource base =
        JavaSource.parse(
            TEST,
            "package dev.isogrid.base;\n" + statement("long t = System.currentTimeMillis();"));
    assertEquals(List.of(), check(Set.of(), base));
  }

  @Test
  void catchThrowable_withoutReason_isReported() {
    assertReported("catch (Throwable)", statement("try {} catch (Throwable t) {}"));
    assertClean(statement("try {} catch (Throwable t) {} // tidy: top of the worker"));
    assertClean(statement("try {} catch (RuntimeException t) {}"));
  }

  @Test
  void synchronized_whereRunsAreReplayed_isReported() {
    for (String name : List.of("topology", "engine", "cluster")) {
      String path = "grid/src/main/java/dev/isogrid/" + name + "/Sample.java";
      String start = "package dev.isogrid." + name + ";\n";
      assertReportedAt(path, "synchronized", start + statement("synchronized (this) {}"));
      assertReportedAt(path, "synchronized", start + "class Sample { synchronized void run() {} }");
    }
    assertClean(statement("synchronized (this) {}"));
  }

  @Test
  void packageWithoutPackageInfo_isReported() {
    List<Violation> found =
        new TidyRules(Set.of(), Set.of()).check(List.of(source(MAIN, "class Sample {}"), USER));
    assertHas("package without package-info.java", found);
  }

  @Test
  void packageInfoWithoutNullMarked_isReported() {
    assertReportedAt(
        "grid/src/main/java/dev/isogrid/engine/package-info.java",
        "without @NullMarked",
        "package dev.isogrid.engine;");
  }

  @Test
  void file_thatNothingNames_isReported() {
    List<Violation> found =
        new TidyRules(Set.of(), Set.of())
            .check(List.of(PACKAGE_INFO, source(MAIN, "class Sample {}")));
    assertHas("dead file", found);

    TidyRules withService = new TidyRules(Set.of(), Set.of("dev.isogrid.store.Sample"));
    assertEquals(
        List.of(), withService.check(List.of(PACKAGE_INFO, source(MAIN, "class Sample {}"))));
  }

  @Test
  void parameters_tooMany_areReported() {
    String six = "(int a, int b, int c, int d, int e, int f)";
    assertReported("6 parameters", "class Sample { void run" + six + " {} }");
    assertClean("class Sample { Sample" + six + " {} }");
    String eight = six.replace(")", ", int g, int h)");
    assertReported("8 parameters", "class Sample { Sample" + eight + " {} }");
    assertClean("record Sample" + eight + " { Sample {} }");
  }

  private static String statement(String text) {
    return "class Sample {\n  void run() throws Exception {\n    " + text + "\n  }\n}";
  }

  private static JavaSource source(String path, String text) {
    return JavaSource.parse(path, "package dev.isogrid.store;\n" + text);
  }

  private static List<Violation> check(Set<String> longMethods, JavaSource source) {
    return new TidyRules(longMethods, Set.of()).check(List.of(PACKAGE_INFO, USER, source));
  }

  private static void assertClean(String text) {
    assertEquals(List.of(), check(Set.of(), source(MAIN, text)));
  }

  private static void assertReported(String message, String text) {
    assertHas(message, check(Set.of(), source(MAIN, text)));
  }

  private static void assertReportedAt(String path, String message, String text) {
    Stream<Violation> found =
        check(Set.of(), JavaSource.parse(path, text)).stream()
            .filter(violation -> !violation.message().startsWith("package without package-info"));
    assertHas(message, found.toList());
  }

  private static void assertHas(String message, List<Violation> found) {
    assertEquals(1, found.size(), found::toString);
    assertEquals(true, found.getFirst().message().contains(message), found::toString);
  }
}
