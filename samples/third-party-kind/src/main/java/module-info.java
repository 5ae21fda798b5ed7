/** Kinds of filters that are not Besom's own. */
module com.example.kinds {
    requires static org.jspecify;
    requires dev.besom.core;

    provides dev.besom.spi.KindProvider with
            com.example.kinds.ExampleKinds;
}
