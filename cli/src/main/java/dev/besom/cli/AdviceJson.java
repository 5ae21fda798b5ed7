package dev.besom.cli;

import dev.besom.lab.advice.Advice;
import dev.besom.lab.advice.Candidate;
import dev.besom.lab.advice.DistributionWorth;
import dev.besom.lab.advice.Replayed;
import dev.besom.lab.advice.Sample;
import dev.besom.lab.advice.Traffic;
import dev.besom.lab.advice.Verdict;
import java.io.IOException;

/** An advice as one JSON document. */
final class AdviceJson {

    private final AdviceFound found;

    AdviceJson(AdviceFound found) {
        this.found = found;
    }

    void write(JsonWriter json) throws IOException {
        Advice advice = found.advice();
        json.beginObject();
        write(advice.chosen(), json);
        json.name("adaptiveBudget");
        if (Double.isInfinite(advice.chosen().adaptiveBudget())) {
            json.value("unbounded");
        } else {
            json.value(advice.chosen().adaptiveBudget());
        }
        json.field("uniqueMissesPerKey", advice.uniqueMissesPerKey());
        json.field("why", advice.why());
        json.name("notes").beginArray();
        for (String note : found.notes()) {
            json.value(note);
        }
        json.endArray();
        json.name("remoteReads").beginObject();
        json.field("withoutFilter", Math.round(advice.readsWithoutFilter()));
        json.field("withFilter", Math.round(advice.readsWithFilter()));
        json.field("saved", Math.round(advice.savedReads()));
        json.field("wasted", Math.round(advice.chosen().wastedReads())).endObject();
        Traffic traffic = advice.wishes().traffic();
        json.name("traffic").beginObject();
        json.field("queries", Math.round(traffic.queries())).field("misses", Math.round(traffic.misses()));
        json.field("distinctMisses", Math.round(traffic.distinctMisses())).field("repeats", traffic.repeats());
        json.field("hottestShare", traffic.hottestShare()).endObject();
        if (found.sample().isPresent()) {
            Sample sample = found.sample().get();
            json.name("sample").beginObject();
            json.field("keys", Math.round(sample.keys()))
                    .field("exponent", sample.misses().exponent());
            json.field("exact", sample.isExact()).endObject();
        }
        if (found.learned().isPresent()) {
            DistributionWorth worth = found.learned().get().worth();
            json.name("distribution").beginObject();
            json.field("worthUsing", worth.isWorthIt()).field("bitsPerKey", worth.bitsPerKey());
            json.field("bitsPerKeyWithout", worth.bitsPerKeyWithout()).endObject();
        }
        if (found.log().isPresent()) {
            writeLog(found.log().get(), json);
        }
        json.name("runnerUp");
        if (advice.runnerUp().isPresent()) {
            json.beginObject();
            write(advice.runnerUp().get(), json);
            json.field("wasted", Math.round(advice.runnerUp().get().wastedReads()));
            json.field("whyNot", advice.whyNotRunnerUp()).endObject();
        } else {
            json.nullValue();
        }
        json.name("others").beginArray();
        for (Verdict other : advice.others()) {
            json.beginObject()
                    .field("kind", other.kind())
                    .field("whyNot", other.whyNot())
                    .endObject();
        }
        json.endArray()
                .field("race", advice.raceCommand())
                .field("code", advice.code())
                .endObject()
                .end();
    }

    private static void writeLog(AdviceFound.Log log, JsonWriter json) throws IOException {
        json.name("log").beginObject().field("newMisses", log.judgement().newMisses());
        json.name("kinds").beginArray();
        for (Replayed each : log.judgement().byWaste()) {
            json.beginObject().field("kind", each.kind().name()).field("bitsPerKey", each.bitsPerKey());
            json.field("wasted", Math.round(each.waste().late()));
            json.field("cost", each.waste().lateCost() * log.cost());
            json.field("earlyRate", each.rates().early())
                    .field("lateRate", each.rates().late());
            json.field("freshRate", each.rates().fresh()).endObject();
        }
        json.endArray().endObject();
    }

    private static void write(Candidate candidate, JsonWriter json) throws IOException {
        json.field("kind", candidate.kind().name()).field("n", candidate.n());
        json.field("fpp", candidate.plannedFpp()).field("expectedFpp", candidate.expectedFpp());
        json.field("bitsPerKey", candidate.bitsPerKey()).field("sizeInBits", candidate.sizeInBits());
    }
}
