package dev.besom.spark.sql;

import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitAndAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitOrAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitXorAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationRef;
import org.apache.spark.sql.catalyst.plans.logical.Distinct;
import org.apache.spark.sql.catalyst.plans.logical.Expand;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LeafNode;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.RebalancePartitions;
import org.apache.spark.sql.catalyst.plans.logical.Repartition;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.plans.logical.ResolvedHint;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.UnionLoopRef;
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Plans that give the same rows whenever they are computed, in whatever order the rows below come. Only what is known to do so
 * counts:
 *
 * <pre>
 *   operators     those that treat each row by itself, joins, unions, and aggregations
 *   expressions   those that are deterministic
 *   aggregates    least, largest, sum, count and bits, of values that are equal only if their bytes are; the sum of no fractions
 * </pre>
 *
 * The order of rows changes from one run to the next. So {@code max_by} takes another one of rows that are as good as each other,
 * a sum of fractions ends in other digits, and a group of texts under a collation has another one of them for its key.
 * A query that {@code WITH} has named and that is not a part of the plan by now is not deterministic.
 */
final class RepeatablePlan {

    private static final Set<Class<? extends LogicalPlan>> OPERATORS = Set.of(
            Aggregate.class,
            Distinct.class,
            Expand.class,
            Filter.class,
            Generate.class,
            Join.class,
            Project.class,
            RebalancePartitions.class,
            Repartition.class,
            RepartitionByExpression.class,
            ResolvedHint.class,
            Sort.class,
            SubqueryAlias.class,
            Union.class);

    private static final Set<Class<? extends AggregateFunction>> AGGREGATES = Set.of(
            BitAndAgg.class,
            BitOrAgg.class,
            BitXorAgg.class,
            Count.class,
            FilterAggregate.class,
            Max.class,
            Min.class,
            Sum.class);

    private RepeatablePlan() {}

    /** Whether a plan gives the same rows when it is computed again. */
    static boolean is(LogicalPlan plan) {
        return plan.deterministic()
                && hasRepeatableNodes(plan)
                && CollectionConverters.asJava(plan.subqueriesAll()).stream()
                        .allMatch(RepeatablePlan::hasRepeatableNodes);
    }

    private static boolean hasRepeatableNodes(LogicalPlan plan) {
        return plan.find(node -> !isRepeatable(node)).isEmpty();
    }

    private static boolean isRepeatable(LogicalPlan node) {
        if (node instanceof LeafNode) {
            return !(node instanceof CTERelationRef || node instanceof UnionLoopRef);
        }
        if (!OPERATORS.contains(node.getClass())) {
            return false;
        }
        if (node instanceof Aggregate aggregate) {
            return areStable(CollectionConverters.asJava(aggregate.groupingExpressions()))
                    && CollectionConverters.asJava(aggregate.aggregateExpressions()).stream()
                            .allMatch(RepeatablePlan::hasRepeatableAggregates);
        }
        return !(node instanceof Distinct) || areStable(CollectionConverters.asJava(node.output()));
    }

    /** Whether values that are equal have equal bytes; of fractions Spark sees to that by itself where it groups. */
    private static boolean areStable(List<? extends Expression> expressions) {
        return expressions.stream().allMatch(expression -> UnsafeRowUtils.isBinaryStable(expression.dataType()));
    }

    private static boolean hasRepeatableAggregates(NamedExpression expression) {
        return ((Expression) expression)
                .find(part -> part instanceof AggregateFunction function && !isRepeatable(function))
                .isEmpty();
    }

    private static boolean isRepeatable(AggregateFunction function) {
        return AGGREGATES.contains(function.getClass())
                && areStable(CollectionConverters.asJava(function.children()))
                && (function instanceof Count
                        || function instanceof FilterAggregate
                        || CollectionConverters.asJava(function.children()).stream()
                                .noneMatch(
                                        argument -> argument.dataType().existsRecursively(RepeatablePlan::isFraction)));
    }

    private static boolean isFraction(DataType type) {
        return type instanceof FloatType || type instanceof DoubleType;
    }
}
