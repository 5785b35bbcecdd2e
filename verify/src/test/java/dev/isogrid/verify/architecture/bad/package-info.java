/** A small project that violates the rules of the architecture, for the test of the rules. */
package dev.isogrid.verify.architecture.bad;
