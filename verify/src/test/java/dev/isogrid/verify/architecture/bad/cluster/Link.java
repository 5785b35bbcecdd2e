package dev.isogrid.verify.architecture.bad.cluster;

/** Known to the store. */
public interface Link {}
