package dev.isogrid.bench.codec;

import java.io.Serializable;

/** A record of five fields. */
public record Person(String name, String email, int age, long id, boolean active)
    implements Serializable {}
