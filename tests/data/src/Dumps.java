// Threads in every state, to be dumped with jstack and jcmd.
// SPDX-License-Identifier: MIT
import java.net.ServerSocket;
import java.nio.channels.Selector;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

public class Dumps {
	static volatile double sum;
	static final Object lock = new Object();

	static double sine(int n)
	{
		for (int i = 0; i < n; i++)
			sum += Math.sin(i);
		return sum;
	}

	static void descend(int depth)
	{
		if (depth > 0)
			descend(depth - 1);
		else
			while (true)
				sine(100000);
	}

	static void daemon(String name, Runnable job)
	{
		Thread thread = new Thread(job, name);

		thread.setDaemon(true);
		thread.start();
	}

	static void accept()
	{
		try (ServerSocket socket = new ServerSocket(0)) {
			socket.accept();
		} catch (Exception e) {
			throw new RuntimeException(e);
		}
	}

	static void select()
	{
		try (Selector selector = Selector.open()) {
			while (true)
				selector.select();
		} catch (Exception e) {
			throw new RuntimeException(e);
		}
	}

	static void block()
	{
		synchronized (lock) {
			sine(1);
		}
	}

	/* JDK 21 and later have virtual threads; 17, which compiles this, does not know them. */
	static void startVirtual(String name, Runnable job) throws Exception
	{
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		Class<?> type = Class.forName("java.lang.Thread$Builder");

		if (name != null)
			type.getMethod("name", String.class).invoke(builder, name);
		type.getMethod("start", Runnable.class).invoke(builder, job);
	}

	public static void main(String[] args) throws Exception
	{
		daemon("busy-12", () -> descend(3));
		daemon("say \"hello\"; #7", () -> descend(0));
		daemon("parked", LockSupport::park);
		daemon("acceptor", Dumps::accept);
		daemon("selector", Dumps::select);
		synchronized (lock) {
			daemon("blocked", Dumps::block);
			Executors.newFixedThreadPool(1).submit(() -> descend(1));
			try {
				startVirtual(null, () -> descend(1));
				startVirtual("named \"virtual\"", () -> descend(2));
				startVirtual("asleep", LockSupport::park);
			} catch (NoSuchMethodException e) {
				/* an older JVM */
			}
			Thread.sleep(60000);
		}
		System.exit(0);
	}
}
