/**
 * The report: one page of HTML that needs nothing beside it, with the plots and tables of experiments and a calculator of
 * sizes.
 */
@NullMarked
package dev.besom.lab.report;

import org.jspecify.annotations.NullMarked;
