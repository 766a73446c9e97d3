// Says which share of its time is below first(), whose callee compares buffers.
const a = Buffer.alloc(1 << 16), b = Buffer.alloc(1 << 16);
let sink = 0;

function now() {
	const used = process.cpuUsage();
	return (used.user + used.system) / 1e6;
}

function compares() {
	for (let i = 0; i < 2000; i++)
		sink += Buffer.compare(a, b);
}

function spins() {
	for (let i = 0; i < 2000000; i++)
		sink = (sink + i) % 7919;
}

function repeat(f, seconds) {
	const start = now();
	while (now() - start < seconds)
		f();
	return now() - start;
}

function first() {
	return repeat(compares, 1.8);
}

const time = first();
repeat(spins, 1.2);
console.log((100 * time / now()).toFixed(2));
