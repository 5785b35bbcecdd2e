/** A program with embedded grids. */
module com.acme.shop {
  requires dev.isogrid.grid;

  opens com.acme.shop;
}
