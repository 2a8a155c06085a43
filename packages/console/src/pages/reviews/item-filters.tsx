import { t } from '@lingui/core/macro';
import { AppFilter } from '../../apps/app-picker.tsx';
import { View, Views } from '../../kit/controls/views.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { filtersOf } from '../../kit/table/list-filters.tsx';
import { PersonPicker } from '../../people/person.tsx';
import { KINDS } from './item.ts';
import classes from './reviews.module.css';
import { cycleSearch } from './search.ts';

type At = ReturnType<typeof cycleSearch>;

const DECISIONS = {
  none: t`Undecided`,
  keep: t`Kept`,
  revoke: t`Revoked`,
} satisfies Record<NonNullable<At['decision']>, string>;

const { search, select, chip, field } = filtersOf(cycleSearch);

/** The filters of the items. Only those who read everything choose a person. */
export const itemFilters = (readsAll: boolean) => [
  search('q', t`Search people and access`),
  field([], ({ group }, go) => (
    <Views label={t`Group by`} inline>
      <View pressed={group !== 'access'} onClick={() => go({ group: undefined })}>
        {t`By person`}
      </View>
      <View pressed={group === 'access'} onClick={() => go({ group: 'access' })}>
        {t`By access`}
      </View>
    </Views>
  )),
  select('decision', t`Decision`, optionsOf(DECISIONS)),
  select('kind', t`Kind`, optionsOf(KINDS)),
  field('app', ({ app }, go) => <AppFilter value={app} set={(next) => go({ app: next })} />),
  readsAll
    ? field('user', ({ user }, go) => (
        <div className={classes.unlabelled}>
          <PersonPicker
            label={t`Person`}
            value={user ?? null}
            set={(next) => go({ user: next ?? undefined })}
          />
        </div>
      ))
    : chip('user', t`One person only`),
  chip('reviewer', t`One reviewer only`),
];
