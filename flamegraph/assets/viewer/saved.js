/*
 * A page can be saved while the viewer runs, with all that the viewer has made of the
 * picture. This undoes that, so that the viewer finds what it started with: the whole
 * picture is always there, out of sight while something else is shown.
 */

function removeMade(whole) {
	const made = '.fg-frames, .fg-marks, .fg-focus, .fg-help, foreignObject';

	for (const element of root.querySelectorAll(made))
		if (element !== whole)
			element.remove();
}

function unmakeFrames(whole) {
	for (const name of ['role', 'transform', 'aria-hidden', 'class'])
		whole.removeAttribute(name);
	whole.setAttribute(NAME, 'frames');
	for (const frame of whole.children) {
		for (const name of ['role', 'tabindex', 'aria-level', 'aria-label'])
			frame.removeAttribute(name);
		if (frame.getAttribute('class') === '')
			frame.removeAttribute('class');
	}
}

/* The rows may have been those of a picture that is upside down, or higher. */
function placeRows(whole) {
	const { inverted, top, bottom, height, frameHeight } = readSettings();
	const yOf = (frame) => parseFloat(frame.querySelector('rect').getAttribute('y'));
	const first = yOf(whole.firstElementChild);
	const rootTop = inverted ? top : height - bottom - frameHeight + 1;

	for (const frame of whole.children) {
		const y = yOf(frame);
		const up = Math.abs(y - first);
		const moved = rootTop + (inverted ? up : -up) - y;
		for (const part of frame.querySelectorAll('rect, text'))
			part.setAttribute('y', moved + parseFloat(part.getAttribute('y')));
	}
}

/* Of the frame that was pointed at, the title has all the details. */
function cutTitles(whole) {
	for (const title of whole.querySelectorAll('title'))
		title.textContent = title.textContent.replace(
			/(, [\d.]+%(; [+-]?[\d.]+%)?\)) \u00b7 .*$/s,
			'$1',
		);
}

function resetControls() {
	for (const name of ['details', 'matched'])
		if (find(name))
			find(name).textContent = BLANK;
	if (find('search'))
		find('search').textContent = 'Search';
	if (find('unzoom'))
		setVisible(find('unzoom'), false);
	find('ignorecase')?.classList.remove('on');
}

function forgetSaved() {
	const hasRun = root.getAttribute('role') === 'group';
	const whole = hasRun && root.querySelector('.fg-frames');

	if (!whole)
		return;
	removeMade(whole);
	unmakeFrames(whole);
	placeRows(whole);
	cutTitles(whole);
	/* Frames that were sorted are not in the order of the data. */
	if (whole.hasAttribute(SORTED))
		findData()?.remove();
	resetControls();
}
