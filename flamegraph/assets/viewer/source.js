/* Where the tree comes from: the data or, if they cannot be read, the picture. */

/* What stands for 100 % in the counts of the tree. */
function scaleTotal(tree, settings) {
	return withTotal(tree, Math.round(settings.total * 10 ** tree.decimals));
}

/* The tree of the data, if there is one; between its steps others take turns. */
async function readData(pause) {
	const element = findData();

	if (!element)
		return null;
	try {
		const bytes = await inflate(decodeBase64(element.textContent));
		await pause();
		const columns = readColumns(bytes);
		await pause();
		return makeTree(columns);
	} catch (error) {
		/* Old browsers, or a broken file: there is the picture itself. */
		return null;
	}
}

/* The frames that the program has drawn: no frame has a larger one on top. */
function findDrawn({ total }, atLeast) {
	const frames = [0];

	for (let i = 1; i < total.length; i++)
		if (total[i] >= atLeast)
			frames.push(i);
	return frames;
}

/* The data, unless it is not of this picture; and which frame each element is of. */
function chooseTree(data, records, settings) {
	const fromData = data && scaleTotal(data, settings);
	const drawn = fromData && findDrawn(fromData, settings.drawn);

	if (drawn && drawn.length === records.length)
		return { tree: fromData, drawn };
	const tree = scaleTotal(readStaticTree(records, settings), settings);
	return { tree, drawn: findDrawn(tree, -1) };
}

function withColours(tree, records, drawn) {
	const known = readStaticColours(tree, records, drawn);
	const colours = tree.colours ? tree.colours.slice() : known;

	colours[tree.name[0]] = known[tree.name[0]];
	return { ...tree, colours };
}

/* The tree of the data or of the records, with colours, and what is drawn of it. */
function readTree(data, records, settings) {
	const { tree, drawn } = chooseTree(data, records, settings);

	return { tree: withColours(tree, records, drawn), drawn };
}
