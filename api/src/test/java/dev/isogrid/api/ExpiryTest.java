package dev.isogrid.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ExpiryTest {
  @Test
  void expiry_ofNegativeNumbers_isUnlimitedUnlessTheDefault() {
    assertEquals(Expiry.NEVER, new Expiry(-1, -3));
    assertEquals(Expiry.NEVER, new Expiry(Long.MIN_VALUE, -100));
    assertEquals(Expiry.DEFAULT, new Expiry(-2, Expiry.CACHE_DEFAULT));
    assertEquals(new Expiry(0, 7), new Expiry(0, 7));
  }

  @Test
  void lifespan_ofUnits_isInMilliseconds() {
    assertEquals(new Expiry(2000, Expiry.CACHE_DEFAULT), Expiry.lifespan(2, TimeUnit.SECONDS));
    assertEquals(new Expiry(1, Expiry.CACHE_DEFAULT), Expiry.lifespan(1999, TimeUnit.MICROSECONDS));
    assertEquals(
        new Expiry(Expiry.UNLIMITED, Expiry.CACHE_DEFAULT), Expiry.lifespan(-2, TimeUnit.DAYS));
    assertEquals(
        new Expiry(Long.MAX_VALUE, Expiry.CACHE_DEFAULT),
        Expiry.lifespan(Long.MAX_VALUE, TimeUnit.DAYS));
  }

  @Test
  void lifespan_ofNegativeTimeThatLooksLikeTheDefault_isUnlimited() {
    assertEquals(Expiry.UNLIMITED, Expiry.lifespan(-2, TimeUnit.MILLISECONDS).lifespanMillis());
    assertEquals(
        Expiry.UNLIMITED, Expiry.DEFAULT.withMaxIdle(-2, TimeUnit.MILLISECONDS).maxIdleMillis());
    assertEquals(Expiry.UNLIMITED, Expiry.lifespan(Duration.ofMillis(-2)).lifespanMillis());
  }

  @Test
  void lifespan_ofDuration_isCutToMilliseconds() {
    assertEquals(1500, Expiry.lifespan(Duration.ofMillis(1500)).lifespanMillis());
    assertEquals(1, Expiry.lifespan(Duration.ofNanos(1_999_999)).lifespanMillis());
  }

  @Test
  void lifespan_belowOneMillisecond_isOne() {
    assertEquals(1, Expiry.lifespan(Duration.ofNanos(1)).lifespanMillis());
    assertEquals(1, Expiry.lifespan(999, TimeUnit.MICROSECONDS).lifespanMillis());
    assertEquals(1, Expiry.DEFAULT.withMaxIdle(1, TimeUnit.NANOSECONDS).maxIdleMillis());
  }

  @Test
  void lifespan_ofZero_isTheDefaultOfTheCache() {
    assertEquals(Expiry.DEFAULT, Expiry.lifespan(0, TimeUnit.SECONDS));
    assertEquals(Expiry.DEFAULT, Expiry.lifespan(Duration.ZERO));
    assertEquals(Expiry.DEFAULT, Expiry.DEFAULT.withMaxIdle(0, TimeUnit.SECONDS));
    assertEquals(
        new Expiry(1000, Expiry.CACHE_DEFAULT), new Expiry(1000, 7).withMaxIdle(Duration.ZERO));
  }

  @Test
  void lifespan_ofTheLongestDuration_isTheLongestTime() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);

    assertEquals(Long.MAX_VALUE, Expiry.lifespan(longest).lifespanMillis());
  }

  @Test
  void withMaxIdle_ofExpiry_keepsTheLifespan() {
    assertEquals(
        new Expiry(1000, 500),
        Expiry.lifespan(1, TimeUnit.SECONDS).withMaxIdle(500, TimeUnit.MILLISECONDS));
    assertEquals(
        new Expiry(1000, 500),
        Expiry.lifespan(Duration.ofSeconds(1)).withMaxIdle(Duration.ofMillis(500)));
  }
}
