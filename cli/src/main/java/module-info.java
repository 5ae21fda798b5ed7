/** The command line: parses, calls, prints. */
module dev.besom.cli {
    requires static org.jspecify;
    requires com.github.benmanes.caffeine;
    requires com.github.luben.zstd_jni;
    requires dev.besom.core;
    requires dev.besom.guard;
    requires dev.besom.lab;
    requires dev.besom.rocksdb;
    requires info.picocli;
    requires me.tongfei.progressbar;

    opens dev.besom.cli to
            info.picocli;
}
