import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMe } from '../../api/me.ts';
import { AppFilter } from '../../apps/app-picker.tsx';
import { View, Views } from '../../kit/controls/views.tsx';
import { FilterChip, FilterSelect, Filters, Search } from '../../kit/table/filters.tsx';
import { PersonPicker } from '../../people/person.tsx';
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
  none: t`Undecided`,
  keep: t`Kept`,
  revoke: t`Revoked`,
} satisfies Record<NonNullable<At['decision']>, string>;

/** The filters of the items. */
export function ItemFilters({ at, go, some }: Props) {
  return (
    <Filters
      some={some}
      clear={() =>
        go({
          decision: undefined,
          kind: undefined,
          app: undefined,
          user: undefined,
          reviewer: undefined,
          q: undefined,
        })
      }
    >
      <Search label={t`Search people and access`} value={at.q} set={(q) => go({ q })} />
      <More at={at} go={go} />
    </Filters>
  );
}

function More({ at, go }: Pick<Props, 'at' | 'go'>) {
  const { readsAll } = useMe();
  return (
    <>
      <Views label={t`Group by`} inline>
        <View pressed={at.group !== 'access'} onClick={() => go({ group: undefined })}>
          <Trans>By person</Trans>
        </View>
        <View pressed={at.group === 'access'} onClick={() => go({ group: 'access' })}>
          <Trans>By access</Trans>
        </View>
      </Views>
      <FilterSelect
        label={t`Decision`}
        options={Object.entries(DECISIONS).map(([value, label]) => ({ value, label }))}
        value={at.decision}
        set={(decision) => go({ decision: decision as At['decision'] })}
      />
      <FilterSelect
        label={t`Kind`}
        options={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        value={at.kind}
        set={(kind) => go({ kind: kind as At['kind'] })}
      />
      <AppFilter value={at.app} set={(app) => go({ app })} />
      {readsAll ? (
        <div className={classes.unlabelled}>
          <PersonPicker
            label={t`Person`}
            value={at.user ?? null}
            set={(user) => go({ user: user ?? undefined })}
          />
        </div>
      ) : (
        at.user !== undefined && (
          <FilterChip label={t`One person only`} remove={() => go({ user: undefined })} />
        )
      )}
      {at.reviewer !== undefined && (
        <FilterChip label={t`One reviewer only`} remove={() => go({ reviewer: undefined })} />
      )}
    </>
  );
}
