/** A project in small that breaks the rules of the architecture, for the test of the rules. */
package dev.isogrid.verify.architecture.bad;
