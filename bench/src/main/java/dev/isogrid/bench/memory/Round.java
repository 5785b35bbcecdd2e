package dev.isogrid.bench.memory;

/**
 * One measurement.
 *
 * @param set what is loaded
 * @param row into what
 * @param number from 1
 * @param isCounted whether it goes into the average
 */
record Round(DataSet set, Row row, int number, boolean isCounted) {}
