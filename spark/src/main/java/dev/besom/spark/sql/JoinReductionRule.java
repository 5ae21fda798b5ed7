package dev.besom.spark.sql;

import dev.besom.spark.keys.KeyColumn;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.optimizer.ColumnPruning;
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Puts a filter of the smaller side's keys before the larger side of a join, where it drops most rows before they are
 * shuffled.
 *
 * <pre>
 *   Join                          Join
 *   +- large          ==>         +- Filter besom_might_contain(subquery besom_agg(key) over small, key)
 *   +- small                      |  +- large
 *                                 +- small
 * </pre>
 *
 * The smaller side is computed twice: for the filter and for the join. So it has to give the same rows twice: one that is no
 * {@link RepeatablePlan}, such as one with a limit or a sample, is left alone. It is done where the sizes say that it pays, by
 * the settings below, and where the join type lets rows without a partner go.
 */
public final class JoinReductionRule extends Rule<LogicalPlan> {

    /** The setting that switches the rule on: {@code true} or {@code false}, the default. */
    public static final String ENABLED = "spark.besom.joinReduction.enabled";

    /** The setting for the most bytes of the smaller side, by Spark's estimate; 10 GiB by default. */
    public static final String MOST_CREATION_BYTES = "spark.besom.joinReduction.mostCreationBytes";

    /** The setting for how many times larger than the smaller side the larger one has to be; 10 by default. */
    public static final String LEAST_RATIO = "spark.besom.joinReduction.leastRatio";

    /** The setting for the filter's false-positive rate; 0.01 by default. */
    public static final String FPP = "spark.besom.joinReduction.fpp";

    /** The setting for the number of keys of the smaller side, where Spark does not know its rows; none by default. */
    public static final String EXPECTED_KEYS = "spark.besom.joinReduction.expectedKeys";

    /** One rule for each session. */
    public JoinReductionRule() {}

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return Boolean.parseBoolean(setting(ENABLED, "false")) ? reduce(plan) : plan;
    }

    private static String setting(String name, String fallback) {
        return SQLConf.get().getConfString(name, fallback);
    }

    private LogicalPlan reduce(LogicalPlan plan) {
        LogicalPlan mapped = plan.mapChildren(this::reduce);
        return mapped instanceof Join join ? reduceJoin(join) : mapped;
    }

    private static LogicalPlan reduceJoin(Join join) {
        var found = ExtractEquiJoinKeys.unapply(join);
        if (found.isEmpty() || join.isStreaming()) {
            return join;
        }
        List<Expression> leftKeys = CollectionConverters.asJava(found.get()._2());
        List<Expression> rightKeys = CollectionConverters.asJava(found.get()._3());
        for (int i = 0; i < leftKeys.size(); i++) {
            Side left = new Side(join.left(), leftKeys.get(i));
            Side right = new Side(join.right(), rightKeys.get(i));
            if (losesLeft(join.joinType()) && left.isWorthFilteringBy(right)) {
                return join.withNewChildren(seq(List.of(left.filteredBy(right), join.right())));
            }
            if (losesRight(join.joinType()) && right.isWorthFilteringBy(left)) {
                return join.withNewChildren(seq(List.of(join.left(), right.filteredBy(left))));
            }
        }
        return join;
    }

    /** Whether rows of the left side that have no partner are left out. */
    private static boolean losesLeft(JoinType type) {
        return type == Inner$.MODULE$ || type == LeftSemi$.MODULE$ || type == RightOuter$.MODULE$;
    }

    /** Whether rows of the right side that have no partner are left out. */
    private static boolean losesRight(JoinType type) {
        return type == Inner$.MODULE$ || type == LeftSemi$.MODULE$ || type == LeftOuter$.MODULE$;
    }

    private static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toList();
    }

    /** A side of a join and its key. */
    private record Side(LogicalPlan plan, Expression key) {

        boolean isWorthFilteringBy(Side small) {
            double smallBytes = small.sizeInBytes();
            return isKey(key)
                    && key.dataType().equals(small.key.dataType())
                    && key.deterministic()
                    && small.key.deterministic()
                    && RepeatablePlan.is(small.plan)
                    && !isFiltered()
                    && smallBytes > SQLConf.get().autoBroadcastJoinThreshold()
                    && smallBytes <= Double.parseDouble(setting(MOST_CREATION_BYTES, "10737418240"))
                    && sizeInBytes() >= smallBytes * Double.parseDouble(setting(LEAST_RATIO, "10"));
        }

        private double sizeInBytes() {
            return plan.stats().sizeInBytes().bigInteger().doubleValue();
        }

        private static boolean isKey(Expression key) {
            try {
                KeyColumn.of(key.dataType(), 0);
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }

        /** Whether a filter of this key is there already. */
        private boolean isFiltered() {
            return plan instanceof Filter filter
                    && filter.condition() instanceof MightContain asked
                    && asked.key().semanticEquals(key);
        }

        LogicalPlan filteredBy(Side small) {
            List<Expression> arguments = new ArrayList<>();
            arguments.add(small.key);
            arguments.add(new Literal(Double.parseDouble(setting(FPP, "0.01")), DataTypes.DoubleType));
            long expected = small.expectedKeys();
            if (expected > 0) {
                arguments.add(new Literal(expected, DataTypes.LongType));
            }
            Alias filter = new Alias(
                    new FilterAggregate(arguments).toAggregateExpression(),
                    "filter",
                    NamedExpression.newExprId(),
                    nil(),
                    Option.empty(),
                    nil());
            LogicalPlan aggregate =
                    new Aggregate(nil(), seq(List.<NamedExpression>of(filter)), small.plan, Option.empty());
            ScalarSubquery subquery = new ScalarSubquery(
                    ColumnPruning.apply(aggregate),
                    nil(),
                    NamedExpression.newExprId(),
                    nil(),
                    Option.empty(),
                    Option.empty(),
                    Option.empty());
            return new Filter(new MightContain(subquery, key), plan);
        }

        private long expectedKeys() {
            Option<scala.math.BigInt> rows = plan.stats().rowCount();
            long known = rows.isDefined() && rows.get().isValidLong()
                    ? Math.max(1, rows.get().longValue())
                    : 0;
            return Long.parseLong(setting(EXPECTED_KEYS, Long.toString(known)));
        }

        @SuppressWarnings("unchecked")
        private static <T> Seq<T> nil() {
            return (Seq<T>) Nil$.MODULE$;
        }
    }
}
