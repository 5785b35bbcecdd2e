package dev.isogrid.server.security;

/** What a server asks of the certificates of its clients. */
public enum ClientCertificates {
  /** It does not ask for any. */
  NONE,
  /** Clients may have one that is trusted, and log in by it. */
  WANTED,
  /** Nobody connects without one that is trusted. */
  NEEDED
}
