package dev.besom.guard;

import dev.besom.guard.NumberedCalls.Call;
import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.NumberedCalls.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Lives one and the same life again and again, each time with other calls that fail. A <i>round</i> is a manner in which they
 * fail, and how many do in a row.
 */
public final class EveryFailure {

    /** Calls that fail in a row in every second round. */
    private static final int SEVERAL = 4;

    private static final long SEED = 0x6661696cL;

    private record Round(Manner manner, int length) {

        Plan from(long first) {
            return new Plan(manner, first, first + length - 1);
        }
    }

    private final List<Manner> manners;
    private final Consumer<NumberedCalls> life;
    private final List<Call> calls;

    /**
     * Lives once without a failure, to learn which calls there are.
     *
     * @param manners in which calls fail
     * @param life makes calls that are numbered
     */
    public EveryFailure(List<Manner> manners, Consumer<NumberedCalls> life) {
        this.manners = manners;
        this.life = life;
        NumberedCalls whole = NumberedCalls.recorded();
        life.accept(whole);
        this.calls = whole.made();
    }

    /**
     * Lets each call fail in every round that differs for it.
     *
     * @param stride of how many rounds a call has one; the next call has the next one
     */
    public void failEach(int stride) {
        for (int first = 0; first < calls.size(); first++) {
            List<Round> rounds = rounds(calls.get(first));
            for (int i = first % stride; i < rounds.size(); i += stride) {
                fail(rounds.get(i).from(first));
            }
        }
    }

    /**
     * Lets calls of each {@linkplain Call#way way} fail in each round that differs for them: one call where there are fewer than 8,
     * another one for each time that there are four times as many. Calls that came by one way do the same, so few of them stand for
     * all.
     *
     * @param share which share of these failures is had, from 0
     * @param shares how many shares there are; the same way in the same round is in the same share of every life
     */
    public void failOfEachWay(int share, int shares) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (List<Integer> alike : ways().values()) {
            int draws = Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(alike.size())) / 2);
            for (Round round : rounds(calls.get(alike.get(0)))) {
                for (int draw = 0; draw < draws; draw++) {
                    int first = alike.get(random.nextInt(alike.size()));
                    int number = List.of(calls.get(first).way(), round.manner().name(), round.length(), draw)
                            .hashCode();
                    if (Math.floorMod(number, shares) == share) {
                        fail(round.from(first));
                    }
                }
            }
        }
    }

    private Map<String, List<Integer>> ways() {
        Map<String, List<Integer>> ways = new LinkedHashMap<>();
        for (int i = 0; i < calls.size(); i++) {
            ways.computeIfAbsent(calls.get(i).way(), way -> new ArrayList<>()).add(i);
        }
        return ways;
    }

    /** The rounds that differ for a call. */
    private List<Round> rounds(Call call) {
        List<Round> rounds = new ArrayList<>();
        for (Manner manner : manners) {
            if (call.manners().contains(manner)) {
                rounds.add(new Round(manner, 1));
                rounds.add(new Round(manner, SEVERAL));
            }
        }
        return rounds;
    }

    private void fail(Plan plan) {
        try {
            life.accept(new NumberedCalls(plan));
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    plan + " of " + calls.size() + ", by way of "
                            + calls.get((int) plan.first()).way(),
                    e);
        }
    }
}
