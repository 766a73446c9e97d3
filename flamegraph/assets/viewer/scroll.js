/*
 * Keeps the user's place in a picture that is higher than its window.
 *
 * Screenshot tools always take the top of the page, even if it is scrolled. So at first
 * we cut the picture to the part that the window shows, and the page does not scroll.
 * With the user's first action it becomes a page that scrolls, without any visible
 * change. If the user comes back to a page, the browser restores the place that it was
 * scrolled to.
 *
 * An <object> of a given size makes the picture as high as itself, whatever height we
 * ask for, so nothing can scroll. In that case the picture stays cut, and we move it
 * ourselves by wheel and touch. All distances are in pixels.
 */

import { max, min } from './format.js';
import { fitsWindow, isDocument, root, soon } from './page.js';

/* The events of a first action of the user. */
const FIRST_ACTIONS = [
	'mousemove',
	'mousedown',
	'touchstart',
	'wheel',
	'keydown',
	'focusin',
	'beforeprint',
];

/* More than the height of any picture. */
const MAX_HEIGHT = 1e7;

function isComeBackTo() {
	const [entry] = performance.getEntriesByType('navigation');

	return entry !== undefined && entry.type !== 'navigate';
}

/*
 * Calls move() with the distance of a turn of the wheel or a move of a finger. If the
 * picture cannot move further, the page gets the event.
 */
function listenToMoves(move, now) {
	let last = 0;
	const active = { passive: false };
	const hear = (type, react) => window.addEventListener(type, react, active);

	function go(event, distance) {
		const before = now();

		move(distance);
		if (now() !== before) event.preventDefault();
	}

	hear('wheel', (event) => event.ctrlKey || go(event, event.deltaY));
	hear('touchstart', ({ touches }) => {
		last = touches[0].clientY;
	});
	hear('touchmove', (event) => {
		const { clientY } = event.touches[0];

		go(event, last - clientY);
		last = clientY;
	});
}

/*
 * Calls begun() on the first action of the user. Until then, calls resized() for each
 * new size of the window.
 */
function listenToFirstAction(resized, begun) {
	function end() {
		for (const type of FIRST_ACTIONS) window.removeEventListener(type, end, true);
		window.removeEventListener('resize', resized);
		begun();
	}

	for (const type of FIRST_ACTIONS)
		window.addEventListener(type, end, { capture: true, passive: true });
	window.addEventListener('resize', resized);
}

/*
 * Returns functions to read and to change the user's place, in a page that scrolls or
 * in a picture that is cut.
 */
function makePosition(isCut, fit) {
	let wanted = 0;
	/* The place that the page will scroll to, or null. */
	let waiting = null;
	const position = {
		isCut,
		top: 0,
		goTo(y) {
			[wanted, waiting] = [y, null];
			if (position.isCut) fit();
			else window.scrollTo(0, y);
		},
		/*
		 * Asks for a place that settle() scrolls to, after everything else has changed,
		 * so that the browser does the layout only once.
		 */
		goLater(y) {
			if (position.isCut) position.goTo(y);
			else waiting = y;
		},
		settle() {
			if (waiting !== null) position.goTo(waiting);
		},
		now() {
			position.settle();
			return position.isCut ? position.top : window.scrollY;
		},
		/* Returns the place last asked for; cut() may have limited it. */
		wantedTop: () => (position.isCut ? wanted : position.now()),
		cut(height) {
			const room = min(height, window.innerHeight);

			position.top = max(0, min(wanted, height - room));
			return { from: position.top, room };
		},
	};
	return position;
}

/*
 * Makes the scroller of the picture. fit() places the picture again. A picture in a
 * frame of another page is not cut at first, because that page may make the frame as
 * high as the picture.
 */
export function makeScroll(canCut, fit) {
	const isTop = window.top === window;
	const position = makePosition(canCut && isTop && !isComeBackTo(), fit);
	const { goTo, now, settle } = position;
	/* isFresh: the user has done nothing yet. onUse: called when that changes. */
	let isFresh = position.isCut;
	let onUse = () => {};

	/*
	 * Cuts the picture if the page shows it lower than the height that we asked for
	 * (`room`).
	 */
	function cutIfFixed(room) {
		if (position.isCut || root.getBoundingClientRect().height >= room - 1) return;
		position.isCut = true;
		listenToMoves((distance) => goTo(position.top + distance), now);
		fit();
	}

	if (isFresh) {
		listenToFirstAction(fit, () => {
			position.isCut = isFresh = false;
			fit();
			window.scrollTo(0, position.top);
			onUse();
		});
	}
	return {
		now,
		settle,
		isFresh: () => isFresh,
		whenFirstUsed(work) {
			onUse = work;
		},
		by(distance) {
			if (isDocument) goTo(now() + distance);
		},
		/*
		 * Calls change(), which makes the picture higher by `distance`, and keeps in
		 * place what the user sees. A page at its end stays at its end. Reads the place
		 * before the change, because reading it afterwards would force another layout.
		 */
		grow(distance, change) {
			const before = position.wantedTop();

			change();
			if (isDocument && distance !== 0) position.goLater(before + distance);
		},
		/* Scrolls to the end of the picture that has the root. */
		toBase: (isFlipped) => goTo(isFlipped ? 0 : MAX_HEIGHT),
		/*
		 * Returns which part of a picture of this height is visible: its start (`from`)
		 * and its height (`room`).
		 */
		cut(height) {
			const { isCut } = position;

			if (canCut && !isTop && !isCut) soon(() => cutIfFixed(height));
			return isCut && !fitsWindow(height)
				? position.cut(height)
				: { from: 0, room: height };
		},
	};
}
