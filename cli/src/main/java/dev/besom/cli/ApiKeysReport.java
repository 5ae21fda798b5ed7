package dev.besom.cli;

import java.io.IOException;
import java.util.List;

/**
 * What a scenario of API keys has counted, for people and as JSON.
 *
 * @param store the database in words
 */
record ApiKeysReport(String store, ApiKeysScenario.Size size, List<ApiKeysScenario.Outcome> outcomes) {

    private static final double NANOS_PER_MILLI = 1e6;

    /** Lookups of all processes for one way. */
    private long lookups() {
        return (long) size.lookups() * ApiKeysScenario.PROCESSES;
    }

    /** How often new keys are used. */
    private static long uses() {
        return (long) ApiKeysScenario.NEW_KEYS * ApiKeysScenario.PROCESSES;
    }

    void print(Console console) throws IOException {
        long found = outcomes.get(0).lookups().found();
        paragraph(
                console,
                Numbers.whole(size.keys()) + " API keys in " + store + ", checked by " + ApiKeysScenario.PROCESSES
                        + " processes: " + Numbers.whole(lookups()) + " lookups, "
                        + Numbers.percent(1 - (double) found / lookups())
                        + " of them for wrong keys, in bursts of the same one. Then " + ApiKeysScenario.NEW_KEYS
                        + " new keys, each made in one process and used in all of them at once, after it was tried in"
                        + " vain.");
        console.print("");
        Table table = new Table("", ">reads", ">wasted", ">new keys refused", ">ms a new key");
        for (ApiKeysScenario.Outcome each : outcomes) {
            table.row(
                    each.way().title(),
                    Numbers.whole(each.lookups().reads()),
                    Numbers.whole(each.lookups().wasted()),
                    each.newKeysRefused() + " of " + uses(),
                    Numbers.fixed(each.nanosToMake() / NANOS_PER_MILLI / ApiKeysScenario.NEW_KEYS, 1));
        }
        table.print(console);
        console.print("");
        paragraph(
                console,
                "Reads of the table, and those that found nothing; with what repairs read. A new key of the guards waits"
                        + " until every process knows it. The time is a mean with all processes and the database on this"
                        + " machine.");
        for (ApiKeysScenario.Outcome each : outcomes) {
            if (each.lookups().found() != found) {
                console.print("Wrong: " + each.way().title() + " found "
                        + Numbers.whole(each.lookups().found()) + " keys, not " + Numbers.whole(found) + ".");
            }
        }
    }

    private static void paragraph(Console console, String text) throws IOException {
        for (String line : Table.wrap(text, Table.TERMINAL_WIDTH)) {
            console.print(line);
        }
    }

    void write(JsonWriter json) throws IOException {
        json.beginObject().field("scenario", "api-keys").field("store", store);
        json.field("n", (long) size.keys()).field("seed", size.seed());
        json.field("processes", (long) ApiKeysScenario.PROCESSES).field("lookups", lookups());
        json.field("newKeys", (long) ApiKeysScenario.NEW_KEYS).field("newKeyUses", uses());
        json.name("contenders").beginArray();
        for (ApiKeysScenario.Outcome each : outcomes) {
            json.beginObject().field("contender", each.way().title());
            json.field("found", each.lookups().found())
                    .field("reads", each.lookups().reads())
                    .field("wastedReads", each.lookups().wasted());
            json.field("newKeysRefused", each.newKeysRefused());
            json.field("meanNs", (double) each.lookups().nanos() / lookups());
            json.field("meanNsOfNewKey", (double) each.nanosToMake() / ApiKeysScenario.NEW_KEYS);
            json.endObject();
        }
        json.endArray().endObject().end();
    }
}
