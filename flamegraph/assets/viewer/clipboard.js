/* Copying text, as far as the page lets the picture do so. */

function copyByCommand(text) {
	const onCopy = (event) => {
		event.clipboardData.setData('text/plain', text);
		event.preventDefault();
	};

	root.addEventListener('copy', onCopy, { once: true });
	try {
		return document.execCommand('copy');
	} catch (error) {
		return false;
	} finally {
		root.removeEventListener('copy', onCopy);
	}
}

function mayWriteClipboard() {
	const policy = document.permissionsPolicy || document.featurePolicy;

	return (
		Boolean(navigator.clipboard && navigator.clipboard.writeText) &&
		(!policy || policy.allowsFeature('clipboard-write'))
	);
}

/* Calls `done` with whether the text was copied. */
function copyText(text, done) {
	if (!mayWriteClipboard())
		done(copyByCommand(text));
	else
		navigator.clipboard.writeText(text).then(
			() => done(true),
			() => done(copyByCommand(text)),
		);
}
