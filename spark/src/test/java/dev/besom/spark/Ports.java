package dev.besom.spark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Ports of this machine, for processes that tests start. */
final class Ports {

    static final String HOST = "127.0.0.1";

    private Ports() {}

    /** One that nobody listens at. */
    static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Waits until a process listens at a port, as long as it lives. */
    static void await(int port, Process process) throws IOException, InterruptedException {
        while (process.isAlive()) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                Thread.sleep(100);
            }
        }
        throw new IOException("the process that should listen at port " + port + " has ended");
    }
}
