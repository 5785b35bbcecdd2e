package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * A path in the tree of what a server has: {@code /}, {@code /caches}, {@code /caches/NAME} and so
 * on. The beginning {@code //containers/default}, which other command lines for this protocol show,
 * is the root.
 *
 * @param names the names from the root on; none for the root itself
 */
record TreePath(List<String> names) {
  static final String CACHES = "caches";
  static final String CONFIGURATIONS = "configurations";
  static final String COUNTERS = "counters";
  static final String SCHEMAS = "schemas";
  static final String TASKS = "tasks";
  static final String CLUSTER = "cluster";

  /** The folders of the root. */
  static final List<String> FOLDERS =
      List.of(CACHES, CONFIGURATIONS, COUNTERS, SCHEMAS, TASKS, CLUSTER);

  /** The folder whose members have members of their own: the keys of a cache. */
  private static final int DEPTH_MAX = 3;

  static final TreePath ROOT = new TreePath(List.of());

  TreePath {
    names = List.copyOf(names);
  }

  /** A path of the names. */
  static TreePath of(String... names) {
    return new TreePath(List.of(names));
  }

  /**
   * The path that a text means, seen from this one. {@code ..} is the folder above, which the root
   * does not have. Keys with slashes can't stand in a path; {@code get} takes them.
   *
   * @throws UsageFailure if there is no such folder, or the path is too long
   */
  TreePath resolve(String path) {
    boolean isAbsolute = path.startsWith("/");
    List<String> found = new ArrayList<>(isAbsolute ? List.of() : names);
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      if (!name.equals("..")) {
        found.add(name);
      } else if (!found.isEmpty()) {
        found.removeLast();
      }
    }
    if (isAbsolute && !found.isEmpty() && found.getFirst().equals("containers")) {
      found.subList(0, Math.min(2, found.size())).clear();
    }
    return new TreePath(found).checked(path);
  }

  private TreePath checked(String path) {
    if (!names.isEmpty() && !FOLDERS.contains(names.getFirst())) {
      throw new UsageFailure(
          "no such path: path=%s; the root has %s".formatted(path, String.join(", ", FOLDERS)));
    }
    if (names.size() > (isIn(CACHES) ? DEPTH_MAX : 2)) {
      throw new UsageFailure(
          "no such path: path=%s; /caches/NAME/KEY is the longest".formatted(path));
    }
    return this;
  }

  /** Whether the path is a folder of the root, or below it. */
  boolean isIn(String folder) {
    return !names.isEmpty() && names.getFirst().equals(folder);
  }

  /** Whether the path is a member of a folder of the root, such as a cache. */
  boolean isMemberOf(String folder) {
    return isIn(folder) && names.size() == 2;
  }

  /** The last name; empty for the root. */
  String name() {
    return names.isEmpty() ? "" : names.getLast();
  }

  @Override
  public String toString() {
    return "/" + String.join("/", names);
  }
}
