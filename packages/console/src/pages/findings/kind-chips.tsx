import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { grouped } from '../../kit/text/words.ts';
import classes from './findings.module.css';
import { KIND_WORDS } from './kinds.ts';
import { KINDS, type Kind } from './search.ts';

type Counts = Answer<'/api/findings/summary/'>['open'];

interface Props {
  /** The open findings of each kind. Undefined: other filters are set, and all kinds are offered. */
  counts: Counts | undefined;
  value: Kind | undefined;
  set: (kind: Kind | undefined) => void;
}

/** Filters by kind. Kinds without an open finding are left out. */
export function KindChips({ counts, value, set }: Props) {
  const offered =
    counts === undefined ? KINDS : KINDS.filter((kind) => kind === value || countOf(counts, kind));
  if (offered.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form.
    <div role="group" aria-label={t`Kind`} className={classes.chips}>
      {offered.map((kind) => (
        <Button
          key={kind}
          size="compact-sm"
          variant={kind === value ? 'filled' : 'default'}
          aria-pressed={kind === value}
          onClick={() => set(kind === value ? undefined : kind)}
        >
          {KIND_WORDS[kind]}
          {counts !== undefined && <span className={classes.count}>{amount(countOf(counts, kind))}</span>}
        </Button>
      ))}
    </div>
  );
}

const countOf = (counts: Counts, kind: Kind) => counts.find((one) => one.kind === kind);

const amount = (counted: Counts[number] | undefined) =>
  counted === undefined ? grouped(0) : `${grouped(counted.count)}${counted.more ? '+' : ''}`;
