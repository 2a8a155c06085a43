import { jsx as draw, jsxs as drawMany, Fragment } from 'react/jsx-runtime';
import { readable } from './readable.ts';

/**
 * The JSX runtime of the console (vite.config.ts). All text that a page draws passes through it, so that a page cannot forget to show the
 * hidden characters of names that strangers chose.
 */
export const jsx: typeof draw = (type, props, key) => draw(type, readable(type, props), key);
export const jsxs: typeof drawMany = (type, props, key) => drawMany(type, readable(type, props), key);
export { Fragment };
