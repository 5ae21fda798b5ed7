/** Workloads, races and the papers' experiments. */
module dev.besom.lab {
    requires static transitive org.jspecify;
    requires transitive dev.besom.core;
    requires java.management;
    requires jdk.management;
    requires org.objectweb.asm;

    exports dev.besom.lab.game;
    exports dev.besom.lab.advice;
    exports dev.besom.lab.experiment;
    exports dev.besom.lab.peer;
    exports dev.besom.lab.race;
    exports dev.besom.lab.report;
    exports dev.besom.lab.workload;
}
