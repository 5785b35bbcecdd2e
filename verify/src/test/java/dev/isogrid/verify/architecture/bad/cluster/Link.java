package dev.isogrid.verify.architecture.bad.cluster;

/** Used by the store. */
public interface Link {}
