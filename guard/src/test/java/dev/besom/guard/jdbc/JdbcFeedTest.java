package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class JdbcFeedTest {

    @Test
    void snapshotSaysWhichTransactionsHadEnded() {
        JdbcFeed.Snapshot snapshot = JdbcFeed.Snapshot.parse("10:15:10,12");
        assertThat(snapshot).isEqualTo(new JdbcFeed.Snapshot(15, Set.of(10L, 12L)));
        assertThat(snapshot.hasEnded(9)).isTrue();
        assertThat(snapshot.hasEnded(10)).isFalse();
        assertThat(snapshot.hasEnded(11)).isTrue();
        assertThat(snapshot.hasEnded(15)).isFalse();
        assertThat(JdbcFeed.Snapshot.parse("7:7:")).isEqualTo(new JdbcFeed.Snapshot(7, Set.of()));
    }

    @Test
    void snapshotCoversThoseThatSawNoMore() {
        JdbcFeed.Snapshot snapshot = JdbcFeed.Snapshot.parse("10:15:10,12");
        assertThat(snapshot.covers(snapshot)).isTrue();
        assertThat(snapshot.covers(JdbcFeed.Snapshot.parse("10:13:10,12"))).isTrue();
        assertThat(snapshot.covers(JdbcFeed.Snapshot.parse("12:13:12")))
                .as("10 had ended there")
                .isFalse();
        assertThat(snapshot.covers(JdbcFeed.Snapshot.parse("10:16:10,12,15")))
                .as("15 had begun there")
                .isFalse();
    }
}
