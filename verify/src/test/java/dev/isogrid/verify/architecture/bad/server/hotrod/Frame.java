package dev.isogrid.verify.architecture.bad.server.hotrod;

/** A part of one protocol. */
public interface Frame {}
