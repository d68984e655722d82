import io.pyroscope.labels.v2.LabelsSet;
import io.pyroscope.labels.v2.Pyroscope;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Burns CPU in one known method, {@link #hotLoop}, inside the labels `endpoint` and `customer`, until it is killed or its time is up.
 * A quiet thread outside these labels does a little work of its own; with the second argument `mixed` others allocate and fight for a
 * monitor and for a lock, slowly enough that the CPU stays with the hot method.
 */
public final class Hot {
  private static final Object MONITOR = new Object();
  private static final ReentrantLock LOCK = new ReentrantLock();
  static volatile double sink;
  static volatile byte[] kept;

  static double hotLoop(int rounds) {
    double x = 1;
    for (int i = 0; i < rounds; i++) x = Math.sqrt(x * i + 1);
    return x;
  }

  static void quietWork() {
    double x = 1;
    for (int i = 0; i < 200_000; i++) x = Math.cbrt(x + i);
    sink = x;
  }

  static void allocate() {
    for (int i = 0; i < 16; i++) kept = new byte[16 * 1024];
  }

  static void holdMonitor() throws InterruptedException {
    synchronized (MONITOR) {
      Thread.sleep(60);
    }
  }

  static void holdLock() throws InterruptedException {
    LOCK.lock();
    try {
      Thread.sleep(60);
    } finally {
      LOCK.unlock();
    }
  }

  private interface Step {
    void run() throws InterruptedException;
  }

  private static void repeat(String threadName, Step step) {
    Thread thread = new Thread(() -> {
      try {
        while (true) {
          step.run();
          // Seldom: with more threads than cores, wall profiles count every wake-up as running until it gets a core.
          Thread.sleep(100);
        }
      } catch (InterruptedException stopped) {
        // The process is ending; there is nothing left to do here.
      }
    }, threadName);
    thread.setDaemon(true);
    thread.start();
  }

  public static void main(String[] arguments) {
    repeat("quiet", Hot::quietWork);
    if (arguments.length > 1 && arguments[1].equals("mixed")) {
      repeat("allocator", Hot::allocate);
      for (int i = 0; i < 2; i++) {
        repeat("monitor-" + i, Hot::holdMonitor);
        repeat("lock-" + i, Hot::holdLock);
      }
    }
    long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000L;
    Runnable work = () -> {
      while (System.nanoTime() < end) sink = hotLoop(1_000_000);
    };
    Pyroscope.LabelsWrapper.run(new LabelsSet("endpoint", "/hot path", "customer", "a.b"), work);
  }
}
