package dev.isogrid.engine;

/** A key that a thread loads, until it closes this. Belongs to that thread. */
public final class LoadClaim implements AutoCloseable {
  private final Flights flights;
  private final Flight flight;
  private final Claims.Claim claim;

  LoadClaim(Flights flights, Flight flight, Claims.Claim claim) {
    this.flights = flights;
    this.flight = flight;
    this.claim = claim;
  }

  /** Lets the thread write the key, which it must not while its function runs. */
  public void beginStoring() {
    flight.storing(true);
  }

  /** Lets others load the key. */
  @Override
  public void close() {
    try {
      claim.close();
    } finally {
      flights.end(flight);
    }
  }
}
