import { plural, t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import classes from './people.module.css';

const SHOWN = 10;

/** Warns about the API keys that stop working with a person, and offers to transfer each of them. */
export function KeysOfPerson({ user }: { user: string }) {
  const { data } = useQuery(get('/api/api-keys/', { query: { user, live: true, limit: SHOWN } }));
  if (data === undefined || data.count === 0) return null;
  return (
    <Alert
      color="yellow"
      mt="sm"
      title={plural(
        { count: data.count },
        { one: '# API key will stop working', other: '# API keys will stop working' },
      )}
    >
      {t`To keep a connector or script running, transfer its key to another person first.`}
      <ul className={classes.moves} aria-label={t`API keys that will stop working`}>
        {data.results.map(({ id, name }) => (
          <li key={id}>
            <TextLink to="/settings/api-keys" search={{ user, transfer: id }} underline="always">
              {t`Transfer ${name}`}
            </TextLink>
          </li>
        ))}
      </ul>
      {data.count > data.results.length && (
        <TextLink to="/settings/api-keys" search={{ user }} underline="always">
          {t`Show all`}
        </TextLink>
      )}
    </Alert>
  );
}
