package dev.isogrid.verify.architecture.bad.misc;

/** A type in a package without a capability. */
interface Thing {}
