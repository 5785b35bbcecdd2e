/** A program with clients of a server. */
module com.acme.clerk {
  requires dev.isogrid.client;

  opens com.acme.clerk;
}
