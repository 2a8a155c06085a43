import type { Option as ConnectorOption } from '@gatehouse/connector';
import { Option } from 'commander';

/** Returns a flag of a connector's command for commander. */
export function optionOf(name: string, { type, value, multiple, description }: ConnectorOption): Option {
  const many = multiple ? '...' : '';
  return new Option(type === 'boolean' ? `--${name}` : `--${name} <${value ?? 'value'}${many}>`, description);
}

/** Turns parsed flags back into arguments, because the connector's own parser interprets them. */
export function asArguments(flags: Record<string, unknown>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    return [value].flat().map((each) => `${flag}=${each}`);
  });
}
