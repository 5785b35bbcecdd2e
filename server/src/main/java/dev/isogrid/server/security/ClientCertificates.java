package dev.isogrid.server.security;

/** The server's demand for certificates of its clients. */
public enum ClientCertificates {
  /** The server does not request certificates. */
  NONE,
  /** Clients may have a trusted certificate, and log in by it. */
  WANTED,
  /** Clients can't connect without a trusted certificate. */
  NEEDED
}
