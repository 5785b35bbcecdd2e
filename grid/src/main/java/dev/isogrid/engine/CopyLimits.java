package dev.isogrid.engine;

/**
 * What a node may send of copies, so that other operations don't suffer.
 *
 * @param bytesPerSecondMax bytes of entries a second, 1 or more; {@link Long#MAX_VALUE} for any
 * @param latencyMaxNanos what 99 of 100 operations may take before less is sent, 1 or more; {@link
 *     Long#MAX_VALUE} for any
 */
public record CopyLimits(long bytesPerSecondMax, long latencyMaxNanos) {
  /** None. */
  public static final CopyLimits NONE = new CopyLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Checks the ranges. */
  public CopyLimits {
    if (bytesPerSecondMax < 1 || latencyMaxNanos < 1) {
      throw new IllegalArgumentException(
          "invalid limits of copies: bytesPerSecondMax=%d, latencyMaxNanos=%d"
              .formatted(bytesPerSecondMax, latencyMaxNanos));
    }
  }
}
