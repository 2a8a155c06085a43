import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMe } from '../../api/me.ts';
import { AppFilter } from '../../parts/app-picker.tsx';
import { FilterSelect, Filters } from '../../parts/filters.tsx';
import { PersonPicker } from '../../parts/person.tsx';
import { KINDS } from './item.ts';
import classes from './reviews.module.css';
import type { cycleSearch } from './search.ts';

type At = ReturnType<typeof cycleSearch>;

interface Props {
  at: At;
  go: (change: Partial<At>) => void;
  some: boolean;
}

const DECISIONS = {
  none: 'Undecided',
  keep: 'Kept',
  revoke: 'Revoked',
} satisfies Record<NonNullable<At['decision']>, string>;

export function ItemFilters({ at, go, some }: Props) {
  const { readsAll } = useMe();
  return (
    <Filters
      some={some}
      clear={() => go({ decision: undefined, kind: undefined, app: undefined, user: undefined })}
    >
      <FilterSelect
        label="Decision"
        options={Object.entries(DECISIONS).map(([value, label]) => ({ value, label }))}
        value={at.decision}
        set={(decision) => go({ decision: decision as At['decision'] })}
      />
      <FilterSelect
        label="Kind"
        options={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        value={at.kind}
        set={(kind) => go({ kind: kind as At['kind'] })}
      />
      <AppFilter value={at.app} set={(app) => go({ app })} />
      {readsAll ? (
        <div className={classes.unlabelled}>
          <PersonPicker
            label="Person"
            value={at.user ?? null}
            set={(user) => go({ user: user ?? undefined })}
          />
        </div>
      ) : (
        at.user !== undefined && (
          <Button
            variant="light"
            rightSection={<IconX size={14} aria-hidden />}
            onClick={() => go({ user: undefined })}
          >
            One person only
          </Button>
        )
      )}
    </Filters>
  );
}
