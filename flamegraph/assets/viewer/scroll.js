/*
 * Where a picture that is higher than its window is looked at.
 *
 * What takes a screenshot by itself takes the top of the page, wherever it is scrolled
 * to. So at first the picture is cut to the window instead, and the page does not
 * scroll; with the first thing that somebody does, it becomes one that does, and
 * nothing moves. A page that is come back to is left to the browser, which knows where
 * it was.
 *
 * An <object> of a given size makes the picture as high as itself, whatever height it
 * asks for, so that nothing can scroll: there it is cut for good, and moved by the
 * wheel and by touch.
 */

import { max, min } from './format.js';
import { fitsWindow, isDocument, root, soon } from './page.js';

/* What somebody does first. */
const BEGINNINGS = [
	'mousemove',
	'mousedown',
	'touchstart',
	'wheel',
	'keydown',
	'focusin',
	'beforeprint',
];

/* Further than any picture reaches. */
const MAX_HEIGHT = 1e7;

function isComeBackTo() {
	const [entry] = performance.getEntriesByType('navigation');

	return entry !== undefined && entry.type !== 'navigate';
}

/* Calls move() with how far the wheel or a finger goes; the page keeps what is left. */
function hearMoves(move, now) {
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

/* Until somebody does something, which is told, a new size of the window is, too. */
function hearFirst(resized, begun) {
	function end() {
		for (const type of BEGINNINGS) window.removeEventListener(type, end, true);
		window.removeEventListener('resize', resized);
		begun();
	}

	for (const type of BEGINNINGS)
		window.addEventListener(type, end, { capture: true, passive: true });
	window.addEventListener('resize', resized);
}

/*
 * The place that is looked at, of a page that scrolls or of a picture that is cut; the
 * latter's is not below its last part.
 */
function makePosition(isCut, fit) {
	let wanted = 0;
	/* Where the page is to scroll to. */
	let waiting = null;
	const position = {
		isCut,
		top: 0,
		goTo(y) {
			[wanted, waiting] = [y, null];
			if (position.isCut) fit();
			else window.scrollTo(0, y);
		},
		/* A page scrolls once all has changed, which then has one layout. */
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
		/* Before that is cut to what there is. */
		asked: () => (position.isCut ? wanted : position.now()),
		cut(height) {
			const room = min(height, window.innerHeight);

			position.top = max(0, min(wanted, height - room));
			return { from: position.top, room };
		},
	};
	return position;
}

/*
 * fit: places the picture again. A picture in a frame of another page may give that its
 * height, and is never cut.
 */
export function makeScroll(canCut, fit) {
	const isTop = window.top === window;
	const position = makePosition(canCut && isTop && !isComeBackTo(), fit);
	const { goTo, now, settle } = position;
	/* Until somebody does something; who is told of that. */
	let isFresh = position.isCut;
	let onUse = () => {};

	/* Once what the picture is in has had the time to become as high as it. */
	function look(room) {
		if (position.isCut || root.getBoundingClientRect().height >= room - 1) return;
		position.isCut = true;
		hearMoves((distance) => goTo(position.top + distance), now);
		fit();
	}

	if (isFresh) {
		hearFirst(fit, () => {
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
		whenUsed(work) {
			onUse = work;
		},
		by(distance) {
			if (isDocument) goTo(now() + distance);
		},
		/*
		 * What is seen stays where it is while change() makes the picture higher by a
		 * distance, and the end of the page is still its end. Where that is, is asked
		 * before, as the answer then takes another layout.
		 */
		grow(distance, change) {
			const before = position.asked();

			change();
			if (isDocument && distance !== 0) position.goLater(before + distance);
		},
		/* The end of the picture that has the root. */
		toBase: (isFlipped) => goTo(isFlipped ? 0 : MAX_HEIGHT),
		/* What is seen of a height: where it begins, and how high that is. */
		cut(height) {
			const { isCut } = position;

			if (canCut && !isTop && !isCut) soon(() => look(height));
			return isCut && !fitsWindow(height)
				? position.cut(height)
				: { from: 0, room: height };
		},
	};
}
