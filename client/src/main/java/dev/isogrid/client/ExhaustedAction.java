package dev.isogrid.client;

/** The behaviour of a {@linkplain ConnectionPoolConfig pool} when all its connections are busy. */
public enum ExhaustedAction {
  /** The request fails with {@link TooManyRequestsException}. */
  EXCEPTION,
  /** The request waits for a connection; see {@link ConnectionPoolConfig#maxWait}. */
  WAIT,
  /** A connection is made for it beyond the maximum. */
  CREATE_NEW
}
