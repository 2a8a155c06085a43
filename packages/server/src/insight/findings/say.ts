import type { Sentence } from '#kit/sentences.ts';
import type { KindName } from './finding.ts';
import { KINDS } from './queries/kinds/index.ts';

/** Returns the sentence of a finding. */
export const sentenceOf = (kind: KindName, values: Record<string, unknown>): Sentence =>
  KINDS[kind].say(values);
