package dev.isogrid.examples;

import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.types.ObjectMarshaller;
import java.io.IOException;
import java.util.Objects;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.GeneratedSchema;
import org.infinispan.protostream.ProtobufTagMarshaller;
import org.infinispan.protostream.SerializationContext;

/**
 * A class that is no record, by an initializer of ProtoStream. Its annotation processor generates
 * such an initializer from annotations; this one is written by hand.
 */
public final class OwnClasses {
  /** An amount of money, as a class of a program that can't be changed into a record. */
  public static final class Money {
    private final long cents;

    Money(long cents) {
      this.cents = cents;
    }

    long cents() {
      return cents;
    }

    @Override
    public String toString() {
      return "%d.%02d EUR".formatted(cents / 100, cents % 100);
    }
  }

  /** The schema and the marshallers of the program's classes. */
  private static final class ShopSchema implements GeneratedSchema {
    @Override
    public String getProtoFileName() {
      return "shop.proto";
    }

    @Override
    public String getProtoFile() {
      return """
      syntax = "proto3";
      package shop;
      message Money { int64 cents = 1; }
      """;
    }

    @Override
    public void registerSchema(SerializationContext context) {
      context.registerProtoFiles(
          FileDescriptorSource.fromString(getProtoFileName(), getProtoFile()));
    }

    @Override
    public void registerMarshallers(SerializationContext context) {
      context.registerMarshaller(new MoneyMarshaller());
    }
  }

  private static final class MoneyMarshaller implements ProtobufTagMarshaller<Money> {
    private static final int CENTS = 1;
    private static final int CENTS_TAG = CENTS << 3;

    @Override
    public Class<Money> getJavaClass() {
      return Money.class;
    }

    @Override
    public String getTypeName() {
      return "shop.Money";
    }

    @Override
    public void write(WriteContext context, Money money) throws IOException {
      context.getWriter().writeInt64(CENTS, money.cents());
    }

    @Override
    public Money read(ReadContext context) throws IOException {
      long cents = 0;
      for (int tag = context.getReader().readTag(); tag != 0; tag = context.getReader().readTag()) {
        if (tag == CENTS_TAG) {
          cents = context.getReader().readInt64();
        } else {
          context.getReader().skipField(tag);
        }
      }
      return new Money(cents);
    }
  }

  private OwnClasses() {}

  /**
   * Runs the example.
   *
   * @param args the port of a server, or nothing for 11222
   */
  public static void main(String[] args) {
    int port = args.length == 0 ? 11222 : Integer.parseInt(args[0]);
    ClientConfig config =
        ClientConfig.builder()
            .addServer("127.0.0.1", port)
            .marshaller(new ObjectMarshaller(new ShopSchema()))
            .build();
    try (RemoteCacheManager client = new RemoteCacheManager(config)) {
      RemoteCache<String, Money> prices =
          Objects.requireNonNull(client.getCache("default"), "no cache default");
      prices.put("pears", new Money(250));
      System.out.println(prices.get("pears"));
    }
  }
}
