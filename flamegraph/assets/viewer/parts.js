/*
 * What the script is for. tools/bundle-viewer makes another one of the same sources for
 * small pictures that are nothing but a flame graph, in which all of these are false:
 * what such a picture cannot use is not in it.
 */

/* Differentials. */
export const CHANGES = true;

/* Flame charts, whose frames are where they are in time. */
export const CHARTS = true;

/* More frames than one sees at a look: an overview of them, and what takes a while. */
export const MANY = true;

/* Slices of time, of which heat.js draws a map. */
export const SLICES = true;

/* Attributes of frames that the user has given: --nameattr. */
export const ATTRIBUTES = true;

/* Counts of which nothing says what they are. */
export const UNKNOWN = true;
