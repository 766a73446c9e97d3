// A small order book: inner classes, lambdas, streams, named threads.
// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

public class Orders {
    interface Rule {
        long apply(Order order);
    }

    static final class Order {
        final String item;
        final int amount;

        Order(String item, int amount) {
            this.item = item;
            this.amount = amount;
        }

        String label() {
            return new StringBuilder(item).reverse().append('#').append(amount).toString();
        }
    }

    static class Tax implements Rule {
        public long apply(Order order) {
            long sum = order.amount;
            for (int i = 0; i < 50; i++) sum = sum * 31 + order.item.charAt(i % order.item.length());
            return sum;
        }
    }

    static class Discount extends Tax {
        @Override
        public long apply(Order order) {
            return order.amount > 50 ? super.apply(order) : depth(order.amount % 12);
        }

        private long depth(int n) {
            return n < 2 ? n : depth(n - 1) + depth(n - 2);
        }
    }

    private static List<Order> take(Random random, int count) {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < count; i++) orders.add(new Order("item-" + random.nextInt(40), random.nextInt(100)));
        return orders;
    }

    private static long total(List<Order> orders, Rule rule, ToLongFunction<String> weigh) {
        Map<String, Long> sums = new HashMap<>();
        for (Order order : orders) sums.merge(order.label(), rule.apply(order), Long::sum);
        return sums.keySet().stream().mapToLong(weigh).sum();
    }

    static long work(int seed) {
        List<Order> orders = take(new Random(seed), 2000);
        long sum = total(orders, new Tax(), String::hashCode) + total(orders, new Discount(), s -> s.length());
        return sum + orders.stream().collect(Collectors.groupingBy(o -> o.item)).size();
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3000;
        Runnable loop = () -> {
            for (int i = 0; i < rounds; i++) work(i);
        };
        Thread desk = new Thread(loop, "desk 2 [late]");
        desk.start();
        loop.run();
        desk.join();
    }
}
