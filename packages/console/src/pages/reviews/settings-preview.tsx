import { plural, t } from '@lingui/core/macro';
import { Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { detailOf } from '../../api/error.ts';
import type { paths } from '../../api/schema.ts';
import { type Figure, Figures } from '../../kit/controls/figures.tsx';
import { Section } from '../../kit/controls/section.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { listed } from '../../kit/text/listed.ts';
import { UndecidedPeople } from '../../people/undecided.tsx';
import type { Settings } from './campaign.ts';
import { deviationWords } from './item-context.ts';
import classes from './new-review.module.css';
import { previewOf } from './preview-query.ts';

type Preview = paths['/api/reviews/preview/']['post']['responses'][200]['content']['application/json'];
type PossibleItem = Preview['first'][number];

const TYPING_MS = 400;

/** Counts what a review with these settings would have if it started now. Asks the server whenever typing pauses. */
export function SettingsPreview({ of: typed }: { of: Settings }) {
  const [settings] = useDebouncedValue(typed, TYPING_MS);
  const { data, error, isError } = useQuery(previewOf(settings));
  return (
    <Section title={t`If it started now`}>
      {isError ? (
        <Text size="sm" role="status">
          {detailOf(error)}
        </Text>
      ) : data === undefined ? (
        <Skeleton height={280} />
      ) : (
        <Counted preview={data} />
      )}
    </Section>
  );
}

function Counted({ preview }: { preview: Preview }) {
  const { first, items, by_administrators } = preview;
  const others = items - first.length;
  return (
    <>
      <div role="status">
        <Figures label={t`Size of the review`} of={figuresOf(preview)} />
      </div>
      {preview.more && <Text size="sm">{t`Only the first 20,000 accounts are counted.`}</Text>}
      {by_administrators > 0 && (
        <Text size="sm" mb="xs">
          {plural(by_administrators, {
            one: 'The administrators decide # item, because nobody else is named.',
            other: 'The administrators decide # items, because nobody else is named.',
          })}
        </Text>
      )}
      <UndecidedPeople of={preview.undecided} />
      {items === 0 ? (
        <Text size="sm">{t`Nothing to review now`}</Text>
      ) : (
        <TableView
          label={t`First items`}
          columns={columns}
          rows={first.map((item, at) => ({ ...item, id: String(at) }))}
          rowId={({ id }) => id}
          empty={null}
        />
      )}
      {others > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {plural(others, { one: 'and # more item', other: 'and # more items' })}
        </Text>
      )}
    </>
  );
}

const figuresOf = ({ items, people, reviewers, with_deviations }: Preview): Figure[] => [
  [items, plural(items, { one: 'item', other: 'items' })],
  [people, plural(people, { one: 'person', other: 'people' })],
  [reviewers, plural(reviewers, { one: 'reviewer', other: 'reviewers' })],
  [with_deviations, plural(with_deviations, { one: 'with deviations', other: 'with deviations' })],
];

type Row = PossibleItem & { id: string };

const columns: Column<Row>[] = [
  column.cell('access', t`Access`, { phone: 'title' }, ({ resource, account, app, user }) => (
    <span>
      <strong>{resource ?? account}</strong>
      <span className={classes.about}>
        {[
          user === null ? '' : user.name || user.email,
          user === null && resource !== null ? account : '',
          app.name,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  )),
  column.cell('reviewer', t`Reviewer`, { phone: 'detail' }, ({ reviewers }) =>
    reviewers.length === 0
      ? t`Administrators`
      : listed(
          reviewers.map(({ email }) => email),
          'disjunction',
        ),
  ),
  column.cell('deviations', t`Deviations`, { phone: 'detail' }, ({ deviations, unused_days }) => (
    <span className={classes.deviations}>
      {deviations.map((one) => deviationWords(one, { unused_days })).join(' · ')}
    </span>
  )),
];
