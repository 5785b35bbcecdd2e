package dev.isogrid.types;

/** The schema of the messages for classes of the JDK that ProtoStream has none for. */
final class OwnTypes {
  static final String SCHEMA =
      """
      syntax = "proto3";
      package dev.isogrid.types;

      import "org/infinispan/protostream/message-wrapping.proto";

      // A moment, as google.protobuf.Timestamp has it.
      message Instant {
        int64 seconds = 1;
        int32 nanos = 2;
      }

      // As google.protobuf.Duration has it.
      message Duration {
        int64 seconds = 1;
        int32 nanos = 2;
      }

      message OffsetDateTime {
        int64 epochSecond = 1;
        int32 nanos = 2;
        string offset = 3;
      }

      message YearMonth {
        int32 year = 1;
        int32 month = 2;
      }

      message Date {
        int64 millis = 1;
      }

      message URI {
        string uri = 1;
      }

      // Two bytes for each character, the high one first.
      message CharArray {
        bytes utf16 = 1;
      }

      // The same of boxed characters.
      message CharacterArray {
        bytes utf16 = 1;
      }

      message Optional {
        org.infinispan.protostream.WrappedMessage value = 1;
      }

      message MapEntry {
        org.infinispan.protostream.WrappedMessage key = 1;
        org.infinispan.protostream.WrappedMessage value = 2;
      }

      // A map without order.
      message HashMap {
        repeated MapEntry entries = 1;
      }

      // A map whose entries are in the order of their insertion.
      message LinkedHashMap {
        repeated MapEntry entries = 1;
      }

      // A map whose entries are in the order of their keys.
      message TreeMap {
        repeated MapEntry entries = 1;
      }
      """;

  private OwnTypes() {}
}
