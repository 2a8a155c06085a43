import { t } from '@lingui/core/macro';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../api/client.ts';
import { Failure } from '../kit/controls/failure.tsx';
import { TextLink } from '../kit/controls/links.tsx';
import { Name } from '../kit/text/name.tsx';
import { localTime } from '../kit/text/words.ts';
import classes from './came-and-went.module.css';
import { ChangeWord } from './change-word.tsx';
import { dayOf, startOf } from './days.ts';
import type { Past, Subject } from './past.ts';
import { accountLabel, type Period } from './periods.ts';

type Change = Item<'/api/history/compare/'>;

const MOST = 20;
const PERIODS = 200;

/** The access that came, went and changed between the two times of a page. */
export function CameAndWent({ of, at }: { of: Subject; at: Past & { versus: string } }) {
  const { as_of, versus } = at;
  const isLater = as_of === undefined || Date.parse(as_of) > Date.parse(versus);
  const [from, to] = isLater ? [versus, as_of] : [as_of, versus];
  const compared = useQuery(get('/api/history/compare/', { query: { ...of, from, to, limit: MOST } }));
  const between = useGoneBetween(of, from, to);
  const { data } = compared;
  const error = compared.error ?? between.error;
  const again = () => Promise.all([compared.refetch(), between.refetch()]);
  const { gone } = between;
  const shown = new Set(data?.results.map(keyOf));
  const others = gone?.filter((row) => !shown.has(keyOf(row)));
  const begin = localTime(new Date(from));
  const end = to === undefined ? t`now` : localTime(new Date(to));
  return (
    <section className={classes.panel} aria-label={t`Came and went`}>
      <Text size="sm" fw={600}>{t`Came and went between ${begin} and ${end}`}</Text>
      {error !== null ? (
        <Failure error={error} again={() => void again()} />
      ) : data === undefined || others === undefined ? (
        <Skeleton height={40} />
      ) : data.results.length + others.length === 0 && !between.isPart && data.next_cursor === null ? (
        <Text size="sm" c="dimmed">{t`Nothing changed.`}</Text>
      ) : (
        <>
          <ul>
            {data.results.map((row) => (
              <Line key={keyOf(row)} of={row} as_of={row.change === 'removed' ? from : to} />
            ))}
            {others.map((row) => (
              <Line
                key={keyOf(row)}
                of={{ ...row, change: 'removed' }}
                as_of={row.bounds.seen_from ?? undefined}
              />
            ))}
          </ul>
          {between.isPart && (
            <Text size="xs" c="dimmed">
              {t`More came and went than is listed here. Choose two times that are closer together.`}
            </Text>
          )}
          {data.next_cursor !== null && of.account === undefined && (
            <TextLink to="/history/compare" search={{ ...of, from, to }} size="sm">
              {t`Show all changes`}
            </TextLink>
          )}
        </>
      )}
    </section>
  );
}

/**
 * The access of a person or an account that was there between two times only. A comparison of the two times does not list it, but the days of
 * the band count it.
 */
function useGoneBetween(of: Subject, from: string, to: string | undefined) {
  const { data, isLoading, error, refetch } = useQuery({
    ...get('/api/history/access/', { query: { ...of, from, to, limit: PERIODS } }),
    enabled: of.user !== undefined || of.account !== undefined,
  });
  const gone = isLoading ? undefined : goneBy(to, data?.results ?? []);
  return { gone, isPart: data?.next_cursor != null, error, refetch };
}

function goneBy(time: string | undefined, results: readonly Period[]): Period[] {
  const end = time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time);
  const periods = results.filter(({ status }) => status !== 'INACTIVE');
  const isGone = ({ bounds: { gone_by } }: Period) => gone_by !== null && Date.parse(gone_by) <= end;
  const lasting = new Set(periods.filter((period) => !isGone(period)).map(keyOf));
  const gone = periods.filter((period) => !lasting.has(keyOf(period)));
  return [...new Map(gone.map((period) => [keyOf(period), period])).values()];
}

const keyOf = ({ type, account, resource }: Pick<Change, 'type' | 'account' | 'resource'>) =>
  `${type} ${account.id} ${resource?.slug} ${resource?.id}`;

/** The accounts that a group or license was taken from on the day of a time, before it. Renders nothing if there are none. */
export function LostThatDay({ of, at: { as_of, known_at } }: { of: Subject; at: Past & { as_of: string } }) {
  const from = startOf(dayOf(new Date(as_of))).toISOString();
  const { data } = useQuery(
    get('/api/history/compare/', {
      query: { ...of, from, to: as_of, known_at, change: 'removed', limit: MOST },
    }),
  );
  // The list of the time has those that may still have had it.
  const lost = data?.results.filter(({ after }) => after === null) ?? [];
  if (lost.length === 0) return null;
  const time = localTime(new Date(as_of));
  return (
    <section className={classes.panel} aria-label={t`Earlier on this day`}>
      <Text size="sm" fw={600}>{t`Had it earlier on this day, and no longer at ${time}`}</Text>
      <ul>
        {lost.map((row) => (
          <Line key={row.account.id} of={row} as_of={from} />
        ))}
      </ul>
      {data?.next_cursor != null && (
        <TextLink to="/history/compare" search={{ ...of, from, to: as_of }} size="sm">
          {t`Show all changes`}
        </TextLink>
      )}
    </section>
  );
}

interface LineProps {
  of: Pick<Change, 'change' | 'account' | 'resource' | 'app'>;
  as_of: string | undefined;
}

function Line({ of: { change, account, resource, app }, as_of }: LineProps) {
  const name = resource === null ? t`Account` : resource.name || resource.id;
  return (
    <li data-change={change}>
      <ChangeWord of={change} />
      <span>
        <strong>
          <Name of={name} />
        </strong>{' '}
        <TextLink to="/accounts/$accountId" params={{ accountId: account.id }} search={{ as_of }}>
          <Name of={accountLabel(account)} />
        </TextLink>
      </span>
      <Text span size="xs" c="dimmed">
        <Name of={app.name} />
      </Text>
    </li>
  );
}
