// Templates, lambdas, the standard library and exceptions.
#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace shop
{
struct Item {
	int id;
	std::string name;
	bool operator<(const Item &other) const { return name < other.name; }
};

template <typename T> class Cart
{
	std::vector<T> items;

public:
	void fill(int count)
	{
		for (int i = 0; i < count; i++)
			items.push_back({ i * 7919 % count, "item" + std::to_string(i * 31 % count) });
	}
	void order() { std::sort(items.begin(), items.end()); }
	int sum(std::function<int(const T &)> price)
	{
		std::map<std::string, int> sums;
		for (const T &item : items)
			sums[item.name] += price(item);
		if (sums.size() > 1)
			throw std::runtime_error("too many");
		return 0;
	}
};
}

int main()
{
	int caught = 0;

	for (int i = 0; i < 12; i++) {
		shop::Cart<shop::Item> cart;
		cart.fill(8000);
		cart.order();
		try {
			cart.sum([i](const shop::Item &item) { return item.id * i; });
		} catch (const std::exception &) {
			caught++;
		}
	}
	return caught != 12;
}
