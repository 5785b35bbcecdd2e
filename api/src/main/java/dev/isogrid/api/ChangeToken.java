package dev.isogrid.api;

import java.util.Objects;

/**
 * A place in the changes of a cache, for {@link Cache#changes}. Its text can be kept anywhere; its
 * contents mean something to the store only. An immutable value.
 */
public final class ChangeToken {
  /** Before the oldest change that the store keeps. */
  public static final ChangeToken EARLIEST = new ChangeToken("earliest");

  /** Behind all changes that were made before. */
  public static final ChangeToken LATEST = new ChangeToken("latest");

  private final String text;

  private ChangeToken(String text) {
    this.text = text;
  }

  /** The token of a text that {@link #toString} returned. */
  public static ChangeToken of(String text) {
    return new ChangeToken(Objects.requireNonNull(text, "text"));
  }

  /** The text, of letters, digits, {@code -} and {@code _}. */
  @Override
  public String toString() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChangeToken token && token.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
