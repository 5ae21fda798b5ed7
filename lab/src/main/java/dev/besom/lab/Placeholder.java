package dev.besom.lab;

final class Placeholder {}
