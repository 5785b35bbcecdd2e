package dev.isogrid.server.backup;

import dev.isogrid.api.InvalidRequestException;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The resources of a backup or restore.
 *
 * @param names by kind; {@code *} stands for all, and a missing kind is left out
 */
public record BackupSelection(Map<BackupKind, Set<String>> names) {
  private static final String ALL = "*";

  public BackupSelection {
    Map<BackupKind, Set<String>> copies = new EnumMap<>(BackupKind.class);
    names.forEach((kind, of) -> copies.put(kind, Set.copyOf(of)));
    names = copies;
  }

  /** All resources of all kinds. */
  public static BackupSelection all() {
    return new BackupSelection(
        Arrays.stream(BackupKind.values())
            .collect(Collectors.toMap(kind -> kind, _ -> Set.of(ALL))));
  }

  /** Returns whether a resource is selected. */
  boolean includes(BackupKind kind, String name) {
    Set<String> of = names.getOrDefault(kind, Set.of());
    return of.contains(ALL) || of.contains(name);
  }

  /**
   * Returns the selected resources of a kind, sorted.
   *
   * @param available the existing names
   * @param where their location, for messages
   * @throws InvalidRequestException if a selected name is not available
   */
  Set<String> of(BackupKind kind, Collection<String> available, String where) {
    Set<String> wanted = new TreeSet<>(names.getOrDefault(kind, Set.of()));
    if (wanted.remove(ALL)) {
      wanted.addAll(available);
    }
    for (String name : wanted) {
      if (!available.contains(name)) {
        throw new InvalidRequestException(
            "no such resource %s: kind=%s, name=%s; there are %s"
                .formatted(where, kind.word(), name, new TreeSet<>(available)));
      }
    }
    return wanted;
  }
}
