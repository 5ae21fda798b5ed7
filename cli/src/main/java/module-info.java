/** The command line: parses, calls, prints. */
module dev.besom.cli {
    requires static org.jspecify;
    requires dev.besom.core;
    requires dev.besom.lab;
    requires info.picocli;
    requires me.tongfei.progressbar;

    opens dev.besom.cli to
            info.picocli;
}
