package dev.isogrid.api;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Names the policy for entries that both sides of a split changed, see {@link
 * WhenSplit#ALLOW_READ_WRITES}. Entries that one side alone changed need no decision.
 *
 * @param name one of the four known ones, or the name of a class, an {@link EntryMergePolicy}
 */
public record MergePolicy(String name) {
  /** Nothing is merged: the majority's entry stays, or its absence. */
  public static final MergePolicy NONE = new MergePolicy("NONE");

  /** The majority's entry stays, or its absence. */
  public static final MergePolicy PREFERRED_ALWAYS = new MergePolicy("PREFERRED_ALWAYS");

  /** The majority's entry stays; if there is none, the other side's. */
  public static final MergePolicy PREFERRED_NON_NULL = new MergePolicy("PREFERRED_NON_NULL");

  /** The entry is removed. */
  public static final MergePolicy REMOVE_ALL = new MergePolicy("REMOVE_ALL");

  private static final List<MergePolicy> KNOWN =
      List.of(NONE, PREFERRED_ALWAYS, PREFERRED_NON_NULL, REMOVE_ALL);

  private static final int NAME_LENGTH_MAX = 1000;

  private static final Pattern CLASS_NAME =
      Pattern.compile("(?:[\\p{L}_$][\\p{L}\\p{N}_$]*\\.)+[\\p{L}_$][\\p{L}\\p{N}_$]*");

  /**
   * Checks the name.
   *
   * @throws InvalidConfigurationException if it is neither known nor that of a class in a package
   */
  public MergePolicy {
    boolean isKnown =
        switch (name) {
          case "NONE", "PREFERRED_ALWAYS", "PREFERRED_NON_NULL", "REMOVE_ALL" -> true;
          default -> name.length() <= NAME_LENGTH_MAX && CLASS_NAME.matcher(name).matches();
        };
    if (!isKnown) {
      throw new InvalidConfigurationException(
          ("invalid cache configuration: merge-policy=%s; allowed are NONE, PREFERRED_ALWAYS,"
                  + " PREFERRED_NON_NULL, REMOVE_ALL and the full name of a class")
              .formatted(name.length() <= NAME_LENGTH_MAX ? name : "(too long)"));
    }
  }

  /**
   * The policy of a name: known ones in capital or small letters, or a class.
   *
   * @throws InvalidConfigurationException if it is neither known nor that of a class in a package
   */
  public static MergePolicy of(String name) {
    for (MergePolicy known : KNOWN) {
      if (known.name.equalsIgnoreCase(name)) {
        return known;
      }
    }
    return new MergePolicy(name);
  }

  /** A policy of the user's own. */
  public static MergePolicy of(Class<? extends EntryMergePolicy<?, ?>> policy) {
    return new MergePolicy(policy.getName());
  }

  /** Whether this names a class. */
  public boolean isClass() {
    return !KNOWN.contains(this);
  }
}
