import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { CompiledMessage } from '@lingui/message-utils/compileMessage';
import { grouped } from '../kit/text/words.ts';
import {
  type AnyPayload,
  type EventLike,
  type NameOf,
  type Part,
  partsOf,
  quoted,
  readable,
} from './event-parts.ts';
import { sentences } from './sentences.ts';

export type { EventLike, NameOf } from './event-parts.ts';

/** Describes an event in a sentence. Falls back to the name of its type. */
export function eventSentence(event: EventLike, nameOf: NameOf = () => undefined): string {
  const sentence = sentences[event.event_type];
  if (sentence === undefined) return event.event_type;
  const { text, quote, people } = sentence;
  const { payload, source } = event;
  const parts = partsOf(event, people, nameOf);
  // The build compiles messages (lingui.plugin.ts).
  const message = text.message as string | CompiledMessage | undefined;
  const said = i18n._({ ...text, values: valuesOf(message ?? '', parts, payload) });
  const found = event.event_type.startsWith('account.') ? sourced(said, source.type) : said;
  const whole = found + (parts.quote ?? quoted(payload, ...quote));
  // A missing name leaves two spaces, or one at the end.
  return `${retried(whole, payload).replaceAll('  ', ' ').trim()}.`;
}

/** Returns the values of the placeholders of a message: words that the console makes, or else fields of the payload. */
function valuesOf(
  message: string | CompiledMessage,
  parts: Readonly<Record<string, Part>>,
  payload: AnyPayload,
  values: Record<string, Part> = {},
) {
  for (const token of typeof message === 'string' ? [] : message) {
    if (typeof token === 'string') continue;
    const [name, kind, cases] = token;
    if (kind === 'plural') values[name] = parts[name] ?? Number(payload[name] ?? 0);
    else if (kind === 'select') values[name] = parts[name] ?? caseOf(name, payload);
    else values[name] = parts[name] ?? shown(payload[name]);
    for (const inner of Object.values(cases ?? {}))
      if (Array.isArray(inner)) valuesOf(inner, parts, payload, values);
  }
  return values;
}

/** Returns what a select compares: a value of the payload, "none" for null, or for `has_` and a field, whether there is one. */
function caseOf(name: string, payload: AnyPayload): string {
  if (name.startsWith('has_')) return (payload[name.slice(4)] ?? '') === '' ? 'no' : 'yes';
  const value = payload[name];
  return value === null ? 'none' : String(value);
}

function shown(value: unknown): string {
  if (typeof value === 'number') return grouped(value);
  return typeof value === 'string' ? readable(value) : '';
}

/** Adds to a sentence about access by which way the change was found or made. */
function sourced(sentence: string, source: string): string {
  if (source === 'sync') return t`${sentence} (discovered by sync)`;
  if (source === 'task') return t`${sentence} (by a provisioning task)`;
  return sentence;
}

const retried = (sentence: string, { will_retry, manual }: AnyPayload) =>
  will_retry === true && manual !== true ? t`${sentence} (Gatehouse will retry it)` : sentence;
