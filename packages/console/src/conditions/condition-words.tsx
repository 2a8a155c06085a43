import { t } from '@lingui/core/macro';
import { CodeBlock } from '../kit/controls/code.tsx';
import { listed } from '../kit/text/listed.ts';
import { type Condition, isGroup, type Join, type Row } from './condition-model.ts';
import { readCondition } from './condition-reader.ts';
import { fieldOf, OPERATORS, type Owner, takesValue } from './condition-vocabulary.ts';

/** Returns a condition in words, such as "department is Sales and Status is Active". Undefined if the builder cannot show it. */
export function conditionWords(cel: string, of: Owner): string | undefined {
  const read = readCondition(cel, of);
  if ('why' in read) return undefined;
  return read.items.length === 0 ? t`everyone` : wordsOf(read);
}

const wordsOf = ({ join, items }: Condition) =>
  joined(
    join,
    items.map((item) =>
      isGroup(item) ? `(${joined(item.join, item.rows.map(wordsOfRow))})` : wordsOfRow(item),
    ),
  );

const joined = (join: Join, words: string[]) => listed(words, join === 'and' ? 'conjunction' : 'disjunction');

function wordsOfRow({ field, operator, values }: Row): string {
  const { label = field, kind, options } = fieldOf(field) ?? {};
  const word = OPERATORS[operator];
  if (kind === 'flag') return t`${label}: ${word}`;
  if (!takesValue(operator)) return t`${label} ${word}`;
  const labels = values.map((value) => options?.find((option) => option.value === value)?.label ?? value);
  const value = listed(labels, 'disjunction');
  return t`${label} ${word} ${value}`;
}

/** A condition in words, or as text if there are none. */
export const ConditionWords = ({ value, of }: { value: string; of: Owner }) =>
  conditionWords(value, of) ?? <CodeBlock text={value} what={t`condition`} />;
