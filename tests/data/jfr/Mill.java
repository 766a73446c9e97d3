import java.util.*;
import java.util.function.*;

/** Grinds in two threads: allocates, waits for a lock, recurses, calls a lambda. */
public class Mill {
	static final Object lock = new Object();
	static volatile long sink;

	static long grind(int depth) {
		if (depth == 0) {
			long n = 1;
			for (int i = 0; i < 200000; i++)
				n = n * 31 + i;
			return n;
		}
		return grind(depth - 1) + depth;
	}

	static void hold(long ms) throws Exception {
		synchronized (lock) {
			Thread.sleep(ms);
		}
	}

	static List<byte[]> store() {
		List<byte[]> flour = new ArrayList<>();
		for (int i = 0; i < 400; i++)
			flour.add(new byte[4096]);
		return flour;
	}

	static void run(long ms, Supplier<Long> stone) {
		long end = System.currentTimeMillis() + ms;
		while (System.currentTimeMillis() < end) {
			sink += stone.get();
			sink += store().size();
		}
	}

	public static void main(String[] args) throws Exception {
		long ms = Long.parseLong(args[0]);
		int depth = args.length > 1 ? Integer.parseInt(args[1]) : 3;
		Thread other = new Thread(() -> {
			try {
				run(ms, () -> grind(depth));
				hold(ms / 10);
			} catch (Exception e) {
				throw new RuntimeException(e);
			}
		}, "m\u00fcller; 2");
		other.start();
		Thread.sleep(ms / 20);
		run(ms, () -> grind(2));
		Thread wait = new Thread(() -> { try { hold(1); } catch (Exception e) { } }, "wait");
		synchronized (lock) {
			wait.start();
			Thread.sleep(ms / 8);
		}
		wait.join();
		other.join();
	}
}
