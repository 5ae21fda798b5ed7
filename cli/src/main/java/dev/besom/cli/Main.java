package dev.besom.cli;

final class Main {
    private Main() {}
}
