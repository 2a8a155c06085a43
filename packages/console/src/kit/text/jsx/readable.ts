import type { ElementType } from 'react';
import { shownText, withCodesInText } from '../hidden.ts';

/** Attributes with a text that people see or hear. */
const TEXTS = [
  ...(['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt'] as const),
  ...(['label', 'description', 'placeholder', 'error'] as const),
];
/** Elements that can have text only. */
const ONLY_TEXT = new Set<unknown>(['title', 'option', 'textarea', 'style', 'text', 'tspan']);
/** Fields of Mantine whose options are values: what they show is what a choice stores. They draw them with `renderOption`. */
const VALUES = /^@mantine\/core\/(Autocomplete|TagsInput)$/;

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
  if (isDrawnElsewhere(type)) {
    for (const name of TEXTS) if (props[name] !== undefined) set(name, inText(props[name]));
    if (Array.isArray(props.data) && !VALUES.test(nameOf(type) ?? '')) set('data', inOptions(props.data));
  }
  return (shown ?? props) as T;
}

/** Whether an element's attributes pass through no other JSX of the console: it is HTML, or a component of a library. */
const isDrawnElsewhere = (type: ElementType): boolean =>
  typeof type !== 'function' || nameOf(type)?.startsWith('@mantine/') === true;
const nameOf = (type: ElementType) => (type as { displayName?: string }).displayName;

const asNodes = (children: unknown): unknown =>
  Array.isArray(children) ? mapped(children, asNode) : asNode(children);
const asNode = (child: unknown): unknown => (typeof child === 'string' ? shownText(child) : child);

function inText(value: unknown): unknown {
  if (typeof value === 'string') return withCodesInText(value);
  return Array.isArray(value) ? mapped(value, inText) : value;
}

const inOptions = (options: readonly unknown[]) => mapped(options, inOption);

/** An option of a field, or a group of them. Only labels change. An option that is a text is its value, too. */
function inOption(option: unknown): unknown {
  if (typeof option === 'string') {
    const label = withCodesInText(option);
    return label === option ? option : { value: option, label };
  }
  if (typeof option !== 'object' || option === null) return option;
  const { label, group, items } = option as Props;
  const shown = {
    label: inText(label),
    group: inText(group),
    items: Array.isArray(items) ? inOptions(items) : items,
  };
  if (label === shown.label && group === shown.group && items === shown.items) return option;
  return { ...option, ...Object.fromEntries(Object.entries(shown).filter(([name]) => name in option)) };
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
