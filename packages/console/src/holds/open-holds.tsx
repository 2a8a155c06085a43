import { plural, t } from '@lingui/core/macro';
import { Alert, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { IconPlayerPause } from '../kit/icons/icons.ts';
import { Name } from '../kit/text/name.tsx';
import { holdTitle } from './hold.ts';

const SHOWN = 5;

interface Props {
  user?: string;
  /** Whether there are some: then nothing moves when they arrive. */
  expected?: boolean;
}

/** Warns about holds that wait for a decision: all of them, or those with one person. For roles that read people. */
export function OpenHolds({ user, expected = false }: Props) {
  const { readsAll } = useMe();
  const { data } = useQuery({
    ...get('/api/holds/', { query: { status: 'open', user, limit: SHOWN } }),
    enabled: readsAll,
    refetchInterval: 30_000,
  });
  if (data === undefined) return expected ? <Skeleton height={72} mb="md" /> : null;
  if (data.count === 0) return null;
  return (
    <Alert color="yellow" icon={<IconPlayerPause aria-hidden />} title={titleOf(data.count, user)} mb="md">
      {data.results.map((hold) => (
        <div key={hold.external_uuid}>
          <TextLink to="/holds/$holdId" params={{ holdId: hold.external_uuid }}>
            <Name of={holdTitle(hold)} />
          </TextLink>
        </div>
      ))}
      {data.count > SHOWN && (
        <TextLink to="/holds" search={{ status: 'open', user }}>
          {t`Show all holds`}
        </TextLink>
      )}
    </Alert>
  );
}

const titleOf = (count: number, user: string | undefined) =>
  user === undefined
    ? plural(count, { one: '# hold waits for a decision', other: '# holds wait for a decision' })
    : t`What follows from the change of this person waits for a decision`;
