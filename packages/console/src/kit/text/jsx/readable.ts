import type { ElementType } from 'react';
import { shownText, withCodesInText } from '../hidden.ts';

/** Attributes with a text that people see or hear. */
const TEXTS = [
  ...(['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt'] as const),
  ...(['label', 'description', 'placeholder', 'data'] as const),
];
/** Elements that can have text only. */
const ONLY_TEXT = new Set<unknown>(['title', 'option', 'textarea', 'style']);

type Props = Record<string, unknown>;

/** Returns the properties of an element with the hidden characters of their texts shown. Almost always, they are the same object. */
export function readable<T>(type: ElementType, given: T): T {
  const props = given as Props;
  let shown: Props | undefined;
  const set = (name: string, value: unknown) => {
    if (value === props[name]) return;
    shown ??= { ...props };
    shown[name] = value;
  };
  set('children', ONLY_TEXT.has(type) ? inText(props.children) : asNodes(props.children));
  if (isDrawnElsewhere(type))
    for (const name of TEXTS) if (props[name] !== undefined) set(name, inText(props[name]));
  return (shown ?? props) as T;
}

/** Whether an element's attributes pass through no other JSX of the console: it is HTML, or a component of a library. */
const isDrawnElsewhere = (type: ElementType): boolean =>
  typeof type !== 'function' ||
  (type as { displayName?: string }).displayName?.startsWith('@mantine/') === true;

const asNodes = (children: unknown): unknown =>
  Array.isArray(children) ? mapped(children, asNode) : asNode(children);
const asNode = (child: unknown): unknown => (typeof child === 'string' ? shownText(child) : child);

/** A text, or the options of a field, which have labels. */
function inText(value: unknown): unknown {
  if (typeof value === 'string') return withCodesInText(value);
  if (Array.isArray(value)) return mapped(value, inText);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const { label, group, items } = value as Props;
  const [newLabel, newGroup, newItems] = [inText(label), inText(group), inText(items)];
  if (label === newLabel && group === newGroup && items === newItems) return value;
  return { ...value, label: newLabel, ...(group === undefined ? {} : { group: newGroup, items: newItems }) };
}

/** Returns the same array if nothing in it changes. */
function mapped(values: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined;
  values.forEach((value, index) => {
    const changed = change(value);
    if (changed === value) return;
    copy ??= [...values];
    copy[index] = changed;
  });
  return copy ?? values;
}
