package dev.isogrid.verify.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The permitted dependencies between packages below one root. */
final class Architecture {
  /**
   * The packages of each capability, and their permitted dependencies. All may use api and wire.
   */
  private static final Map<String, Set<String>> MAY_USE = new LinkedHashMap<>();

  static {
    allow("api");
    allow("wire");
    allow("types");
    allow("base");
    allow("cli");
    allow("client", "types");
    allow("micrometer", "client");
    allow("jcache", "client");
    allow("jdbc");
    allow("codec", "types", "base");
    allow("config", "codec", "base");
    allow("store", "codec", "base");
    allow("topology", "codec", "base");
    allow("cluster", "topology", "codec", "base");
    allow("journal", "base");
    allow("engine", "journal", "store", "topology", "cluster", "codec", "base");
    allow("stream", "engine", "store", "topology", "cluster", "codec", "base");
    allow("mapreduce", "engine", "store", "topology", "cluster", "codec", "base");
    allow("structure", "engine", "store", "codec", "base");
    allow("node", "structure", "types", "journal");
    allow("node", "stream", "mapreduce", "engine", "config", "store", "topology", "cluster");
    allow("node", "codec", "base");
    allow("server", "node", "stream", "mapreduce", "engine", "config", "store", "topology");
    allow("server", "structure", "journal", "cluster", "codec", "base");
  }

  /** The users of each library outside of the JDK. All other packages must not use it. */
  private static final Map<String, List<String>> LIBRARY_USERS =
      Map.ofEntries(
          Map.entry("org.jgroups", List.of("cluster")),
          Map.entry("io.micrometer", List.of("server", "micrometer")),
          Map.entry("io.opentelemetry", List.of("server")),
          Map.entry("javax.cache", List.of("jcache")),
          Map.entry("com.zaxxer", List.of("jdbc")),
          Map.entry("io.netty", List.of("server", "cluster")),
          Map.entry("picocli", List.of("server", "cli")),
          Map.entry("org.jline", List.of("cli")),
          Map.entry("com.fasterxml.jackson", List.of("codec", "config", "server", "cli")),
          Map.entry("org.infinispan.protostream", List.of("types", "codec", "client")),
          Map.entry("org.snakeyaml", List.of("config", "server")),
          Map.entry("com.github.luben", List.of("store")));

  private static final List<String> PROTOCOLS = List.of("hotrod", "memcached", "resp", "rest");

  private final String root;

  /** Makes the rules for the packages below {@code root}, such as {@code dev.isogrid}. */
  Architecture(String root) {
    this.root = root;
  }

  private static void allow(String capability, String... used) {
    Set<String> all = MAY_USE.computeIfAbsent(capability, _ -> new TreeSet<>());
    all.addAll(List.of(used));
    all.add(capability);
    if (!capability.equals("api") && !capability.equals("wire")) {
      all.addAll(List.of("api", "wire"));
    }
  }

  /** All rules. They also hold for packages without classes. */
  List<ArchRule> rules() {
    List<ArchRule> rules = new ArrayList<>();
    rules.add(everyClassHasACapability());
    MAY_USE.forEach((capability, used) -> rules.add(direction(capability, used)));
    LIBRARY_USERS.forEach((library, users) -> rules.add(library(library, users)));
    PROTOCOLS.forEach(protocol -> rules.add(protocol(protocol)));
    rules.add(onlyJdk("api"));
    rules.add(onlyJdk("wire"));
    rules.add(noCycles());
    return rules.stream().map(rule -> rule.allowEmptyShould(true)).toList();
  }

  private ArchRule everyClassHasACapability() {
    return classes()
        .should()
        .resideInAnyPackage(packages(MAY_USE.keySet()))
        .as("every package is one of those in the design");
  }

  private ArchRule direction(String capability, Set<String> used) {
    Set<String> others = new TreeSet<>(MAY_USE.keySet());
    others.removeAll(used);
    return noClasses()
        .that()
        .resideInAPackage(inside(capability))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages(others))
        .as(capability + " may use only " + used);
  }

  private ArchRule library(String library, List<String> users) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(packages(users))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library + "..")
        .as("only " + users + " may use " + library);
  }

  private ArchRule protocol(String protocol) {
    Set<String> others = new TreeSet<>();
    PROTOCOLS.stream()
        .filter(other -> !other.equals(protocol))
        .forEach(o -> others.add("server." + o));
    return noClasses()
        .that()
        .resideInAPackage(inside("server." + protocol))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages(others))
        .as("the protocol " + protocol + " knows no other");
  }

  private ArchRule onlyJdk(String capability) {
    return classes()
        .that()
        .resideInAPackage(inside(capability))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "javax..", "org.jspecify..", inside(capability))
        .as(capability + " uses only the JDK and JSpecify");
  }

  /** The client's package for the pool has types of its API in its signatures. */
  private ArchRule noCycles() {
    return slices()
        .matching(root + ".(**)")
        .should()
        .beFreeOfCycles()
        .ignoreDependency(
            resideInAPackage(root + ".client.spi"), resideInAPackage(root + ".client"));
  }

  private String[] packages(Iterable<String> capabilities) {
    List<String> patterns = new ArrayList<>();
    capabilities.forEach(capability -> patterns.add(inside(capability)));
    return patterns.toArray(String[]::new);
  }

  private String inside(String capability) {
    return root + "." + capability + "..";
  }
}
