import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { linkTo } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { Name } from '../../kit/text/name.tsx';
import { findingName, sentenceOf } from '../findings/finding.ts';
import { KIND_WORDS } from '../findings/kinds.ts';
import classes from './people.module.css';
import type { Person } from './person.ts';

const MOST = 20;

/** The open findings about a person and their accounts. Nothing without any. */
export function PersonFindings({ person: { external_uuid: user } }: { person: Person }) {
  const { readsAll } = useMe();
  const { data } = useQuery({
    ...get('/api/findings/', { query: { user, limit: MOST } }),
    enabled: readsAll,
  });
  if (data === undefined || data.count === 0) return null;
  const more = data.count - data.results.length;
  return (
    <section aria-label={t`Findings`}>
      <ul className={classes.findings}>
        {data.results.map((finding) => (
          <li key={finding.external_uuid}>
            <Status of={finding.severity} />
            <TextLink {...linkTo(finding.href)} aria-label={findingName(finding)}>
              {KIND_WORDS[finding.kind]}
            </TextLink>
            <Text span size="sm" c="dimmed">
              <Name of={sentenceOf(finding)} />
            </Text>
          </li>
        ))}
      </ul>
      {more > 0 && <Text size="sm">{plural(more, { one: '# more finding', other: '# more findings' })}</Text>}
    </section>
  );
}
