package dev.isogrid.verify.architecture.bad.misc;

/** In a package of no capability. */
interface Thing {}
