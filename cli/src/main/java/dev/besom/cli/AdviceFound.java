package dev.besom.cli;

import dev.besom.lab.advice.Advice;
import dev.besom.lab.advice.DistributionWorth;
import dev.besom.lab.advice.LogJudgement;
import dev.besom.lab.advice.Sample;
import java.util.List;
import java.util.Optional;

/**
 * An advice with all that it was found by.
 *
 * @param advice what to use
 * @param notes what else to know
 * @param sample what the files of keys and queries told
 * @param log how kinds fared with the log
 * @param learned what it is worth to learn from the log
 */
record AdviceFound(
        Advice advice, List<String> notes, Optional<Sample> sample, Optional<Log> log, Optional<Learned> learned) {

    /**
     * How kinds fared.
     *
     * @param judgement by wasted reads
     * @param cost what a wasted read costs, times what the log says
     */
    record Log(LogJudgement judgement, double cost) {}

    /**
     * What it is worth to learn.
     *
     * @param worth in bits a key
     * @param isByModel whether a model of the user's own tells keys apart
     * @param sample the name of the file to learn from, and the options of a model
     */
    record Learned(DistributionWorth worth, boolean isByModel, String sample) {}
}
