/* Numbers as the program prints them. */

/* Rounds as printf does: a number halfway between two others goes to the even one. */
export function fixed(x, decimals) {
	const halves = x * 2 ** (decimals + 1);

	if (Math.abs(halves % 2) !== 1)
		return x.toFixed(decimals);
	const below = Math.floor(x * 10 ** decimals);
	const even = below % 2 === 0 ? below : below + 1;
	return (even / 10 ** decimals).toFixed(decimals);
}

/* A length in tenths of a pixel, the unit in which positions are kept and compared. */
export function tenths(pixels) {
	const scaled = pixels * 10;
	const rest = scaled - Math.floor(scaled);

	if (Math.abs(rest - 0.5) < 1e-6)
		return Math.round(fixed(pixels, 1) * 10);
	return Math.round(scaled);
}

/* A number too large for a double to hold exactly is marked with a tilde. */
export function thousands(x) {
	const isExact = Math.abs(x) <= Number.MAX_SAFE_INTEGER;
	const digits = isExact ? fixed(x, 0) : BigInt(+x.toPrecision(15)).toString();

	return (isExact ? '' : '~') + digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

export function percent(part, whole, decimals) {
	return fixed(whole > 0 ? (100 * part) / whole : 0, decimals) + '%';
}

/* The text with the sign of x before it, unless x is zero. */
export function signed(x, text) {
	return (x > 0 ? '+' : x < 0 ? '-' : '') + text;
}
