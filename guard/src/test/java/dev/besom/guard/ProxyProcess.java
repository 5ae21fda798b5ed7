package dev.besom.guard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Passes on what clients and a server send each other. A process of its own, so that it can be stopped and continued: to the
 * clients that is a network that stands still, and delivers late what was sent meanwhile.
 */
public final class ProxyProcess {

    private static final int BUFFER_BYTES = 1 << 14;

    private ProxyProcess() {}

    /** Takes the port of the server, and says on which one it listens. Ends when standard input does. */
    public static void main(String[] args) throws IOException {
        int serverPort = Integer.parseInt(args[0]);
        ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        System.out.println(listener.getLocalPort());
        start(() -> acceptAll(listener, serverPort));
        while (System.in.read() >= 0) {
            // Nobody says anything.
        }
        System.exit(0);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "besom-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void acceptAll(ServerSocket listener, int serverPort) {
        while (true) {
            try {
                Socket client = listener.accept();
                start(() -> connect(client, serverPort));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void connect(Socket client, int serverPort) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            start(() -> pass(server, client));
            pass(client, server);
        } catch (IOException e) {
            // The server is not there. The client sees that its connection has ended.
            return;
        }
    }

    private static void pass(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // One of them has gone, and so both connections end.
            return;
        }
    }
}
