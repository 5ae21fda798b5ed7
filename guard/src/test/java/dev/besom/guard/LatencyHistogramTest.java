package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyHistogramTest {

    @Test
    void everyTimeIsInABucketThatIsAtMostAQuarterLonger() {
        int before = 0;
        for (long nanos = 1; nanos < 1L << 40; nanos += 1 + nanos / 50) {
            int bucket = LatencyHistogram.bucket(nanos);
            assertThat(bucket).isBetween(before, LatencyHistogram.BUCKETS - 1);
            assertThat(LatencyHistogram.longest(bucket)).isBetween(nanos, Math.max(4, nanos + nanos / 4));
            before = bucket;
        }
        assertThat(LatencyHistogram.bucket(Long.MAX_VALUE)).isEqualTo(LatencyHistogram.BUCKETS - 1);
        assertThat(LatencyHistogram.bucket(-1)).isEqualTo(LatencyHistogram.bucket(0));
    }

    @Test
    void percentilesAreThoseOfTheTimesTaken() {
        LatencyRecorder recorder = new LatencyRecorder();
        for (int i = 1; i <= 1_000; i++) {
            recorder.record(i * 1_000L);
        }
        LatencyHistogram histogram = recorder.read();
        assertThat(histogram.count()).isEqualTo(1_000);
        assertThat(histogram.meanNanos()).isEqualTo(500_500);
        assertThat(histogram.percentileNanos(0.5)).isBetween(500_000L, 625_000L);
        assertThat(histogram.percentileNanos(0.99)).isBetween(990_000L, 1_237_500L);
        assertThat(histogram.percentileNanos(1)).isBetween(1_000_000L, 1_250_000L);
        recorder.record(5);
        LatencyHistogram later = recorder.read().since(histogram);
        assertThat(later.count()).isEqualTo(1);
        assertThat(later.percentileNanos(0)).isEqualTo(5);
        assertThat(later).isNotEqualTo(histogram).isEqualTo(recorder.read().since(histogram));
    }
}
