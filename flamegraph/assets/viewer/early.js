/* What is done with the picture before the viewer is there. */

/* Until the viewer is there, all that is said about a frame is what its title says. */
function showTitle(container, node) {
	const frame = childWith(container, node);
	const details = find('details');

	if (details)
		details.textContent = frame
			? readSettings().nameType +
				' ' +
				frame.firstElementChild.textContent
			: BLANK;
}

/*
 * Listens until the viewer is there, and says how it is to start: in turns, and in one
 * go when somebody waits for it. A button that goes down says that a click comes, so
 * that only what the click leads to is left to be drawn then.
 */
function hearEarly(container, begin) {
	const types = ['mouseover', 'mousedown', 'click', 'keydown', 'focusin'];
	const heard = [];
	let [hasMoved, isUrgent] = [false, false];
	let patience = 5;
	let hurry;
	let clicked = () => {};
	let click = null;
	const urgent = new Promise((resolve) => {
		hurry = () => {
			isUrgent = true;
			resolve();
		};
	});

	const waitFor = (what) => Promise.race([urgent, new Promise(what)]);

	/*
	 * Others take turns. A mouse that goes from frame to frame is followed first, for a
	 * while: a click would otherwise find nothing begun.
	 */
	async function pause() {
		await waitFor((goOn) => setTimeout(goOn));
		while (hasMoved && patience-- > 0) {
			hasMoved = false;
			await waitFor(soon);
		}
	}

	const react = {
		mouseover({ target }) {
			hasMoved = true;
			showTitle(container, target);
		},
		mousedown() {
			click = new Promise((resolve) => {
				clicked = resolve;
				soon(resolve);
			});
			hurry();
		},
		click() {
			clicked();
			hurry();
		},
		keydown: () => hurry(),
		/* The picture gets it with each click. */
		focusin() {},
	};

	function onEarly(event) {
		heard.push(event);
		react[event.type](event);
		begin();
	}

	function stop() {
		for (const type of types)
			root.removeEventListener(type, onEarly);
	}

	function replay() {
		stop();
		for (const event of heard)
			if (event.target.isConnected)
				event.target.dispatchEvent(
					new event.constructor(event.type, event),
				);
	}

	for (const type of types)
		root.addEventListener(type, onEarly);
	return {
		pause,
		hurry,
		replay,
		stop,
		isUrgent: () => isUrgent,
		/* The click that a button is down for, if it is. */
		click: () => click,
	};
}
