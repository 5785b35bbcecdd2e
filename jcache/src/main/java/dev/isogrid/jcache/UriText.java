package dev.isogrid.jcache;

import java.net.URI;

/** URIs as MXBeans and messages show them. */
final class UriText {
  private UriText() {}

  /** A URI without its login, and with dots for passwords and tokens of its query. */
  static String withoutSecrets(URI uri) {
    return uri.toString()
        .replaceFirst("//[^/?#]*@", "//")
        .replaceAll("((?:password|token)=)[^&#]*", "$1...");
  }
}
