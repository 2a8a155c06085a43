import { createElement, type SVGProps } from 'react';

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  size?: number;
  /** The width of the lines. */
  stroke?: number;
}

/**
 * Returns a component that draws an outline icon, whose paths are in a square of 24 units.
 * @public The generated icons.ts uses it.
 */
export const icon = (...paths: readonly string[]) =>
  function Icon({ size = 24, stroke = 2, ...rest }: IconProps) {
    return createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: stroke,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...rest,
      },
      ...paths.map((d) => createElement('path', { key: d, d })),
    );
  };
