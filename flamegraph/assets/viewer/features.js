/*
 * The features of the viewer that a plain flame graph does not need.
 *
 * tools/bundle-viewer makes two scripts of the same sources: viewer.js with all of
 * these true, and small.js with all false, for small plain flame graphs. The bundler
 * removes code behind a constant that is false, so small.js lacks what such a picture
 * cannot use. flamegraph/embed.c chooses the script.
 */

/* Differentials, which compare two profiles. */
export const CHANGES = true;

/* Flame charts: frames are placed by time. */
export const CHARTS = true;

/* Many frames: the overview, and long work done in steps. */
export const MANY = true;

/* Slices of time. heat.js draws a map of them. */
export const SLICES = true;

/* The source text of hot lines, added with --source. */
export const SOURCE = true;

/* Attributes of frames given by the user with --nameattr. */
export const ATTRIBUTES = true;

/* Counts of an unknown kind. */
export const UNKNOWN = true;
