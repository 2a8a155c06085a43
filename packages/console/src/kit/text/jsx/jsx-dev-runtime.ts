import { jsxDEV as draw, Fragment } from 'react/jsx-dev-runtime';
import { readable } from './readable.ts';

/** The same on the dev server. */
export const jsxDEV: typeof draw = (type, props, ...rest) => draw(type, readable(type, props), ...rest);
export { Fragment };
