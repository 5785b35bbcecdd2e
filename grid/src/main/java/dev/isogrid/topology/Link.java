package dev.isogrid.topology;

/**
 * The way from one node to another and back.
 *
 * @param from who wants an answer
 * @param to who is to give it
 */
public record Link(NodeId from, NodeId to) {}
