package dev.isogrid.examples.spring;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Service;

/** Caches the results of a slow method. */
@SpringBootApplication
@EnableCaching
public class Shop {
  /** An offer; the grid stores records without more ado. */
  public record Offer(String item, int cents) {}

  /** Stands for a database. */
  @Service
  public static class Offers {
    /** Runs once per item and amount, for all nodes of a cluster. */
    @Cacheable("offers")
    public Offer find(String item, int amount) {
      System.out.println("computing " + item);
      return new Offer(item, 100 * amount);
    }

    /** The offer has changed. */
    @CacheEvict("offers")
    public void change(String item, int amount) {
      System.out.println("changing " + item);
    }
  }

  @Bean
  CommandLineRunner customer(Offers offers) {
    return arguments -> {
      System.out.println(offers.find("pears", 2));
      System.out.println(offers.find("pears", 2));
      offers.change("pears", 2);
      System.out.println(offers.find("pears", 2));
    };
  }

  /** Starts the application; arguments set properties, such as {@code --isogrid.mode=remote}. */
  public static void main(String[] arguments) {
    SpringApplication.run(Shop.class, arguments).close();
  }
}
