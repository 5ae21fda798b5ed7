/** Contract tests that every filter inherits, streams of keys, statistical bounds. */
module dev.besom.testkit {
    requires static transitive org.jspecify;
    requires transitive dev.besom.core;
    requires transitive org.junit.jupiter.api;
    requires java.management;
    requires jdk.management;
    requires org.assertj.core;

    exports dev.besom.testkit;

    // JUnit calls the tests that a contract brings.
    opens dev.besom.testkit to
            org.junit.platform.commons;
}
