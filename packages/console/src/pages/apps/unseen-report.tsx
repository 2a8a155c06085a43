import { t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import { get, type Item } from '../../api/client.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconEyeOff } from '../../kit/icons/icons.ts';
import classes from './apps.module.css';
import { linesOf, memberWords, type Unseen } from './unseen.ts';

const SHOWN = 5;

interface Props {
  appId: string;
  unseen: readonly Unseen[] | undefined;
  /** Whether the report is that of the newest sync, which the groups show. */
  newest: boolean;
}

/** Shows what the connector of an app reported but could not show, by rule, with links to groups that have more members. */
export function UnseenReport({ appId, unseen = [], newest }: Props) {
  const path = { app_id: appId };
  const types = useQuery({
    ...get('/api/apps/{app_id}/resource-types/', { path, query: { limit: 200 } }),
    enabled: unseen.length > 0,
  });
  if (unseen.length === 0) return null;
  const nameOf = (slug: string) => types.data?.results.find((type) => type.slug === slug)?.name ?? slug;
  return (
    <Section title={t`Hidden from syncs`}>
      <Text size="sm">
        {t`The connector knows of these records and members but does not show them to Gatehouse.`}
      </Text>
      <ul className={classes.heldTasks}>
        {linesOf(unseen, nameOf).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {unseen.some(({ rule }) => rule === 'unreadable') && (
        <Text size="sm" mt="xs">
          {t`Gatehouse keeps access that the connector cannot read. It ends when a sync can read it again and no longer finds it.`}
        </Text>
      )}
      {newest && unseen.some(({ id }) => id !== null) && <HidingGroups appId={appId} />}
    </Section>
  );
}

function HidingGroups({ appId }: { appId: string }) {
  const id = useId();
  const query = { hidden: true, limit: SHOWN };
  const { data } = useQuery(get('/api/apps/{app_id}/resources/', { path: { app_id: appId }, query }));
  if (data === undefined || data.count === 0) return null;
  const others = data.count - data.results.length;
  return (
    <>
      <Text size="sm" mt="sm" id={id}>
        {t`Groups and licenses with hidden members`}
      </Text>
      <ul className={classes.heldTasks} aria-labelledby={id}>
        {data.results.map((one) => (
          <li key={one.external_uuid}>
            <EntitlementLink of={one} appId={appId} />{' '}
            <Plural value={one.hidden_members ?? 0} one="(# hidden member)" other="(# hidden members)" />
          </li>
        ))}
        {others > 0 && (
          <li>
            <TextLink to="/apps/$appId" params={{ appId }} search={{ tab: 'groups', hidden: true }}>
              <Plural value={others} one="# more" other="# more" />
            </TextLink>
          </li>
        )}
      </ul>
    </>
  );
}

type Resource = Pick<Item<'/api/apps/{app_id}/resources/'>, 'hidden' | 'hidden_members'>;

/** Says which members of a group or license are not in its list. */
export function HiddenMembers({ of: { hidden, hidden_members } }: { of: Resource }) {
  if (hidden_members === null || hidden_members === 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconEyeOff aria-hidden />}
      title={
        <Plural
          value={hidden_members}
          one="# member is hidden from syncs"
          other="# members are hidden from syncs"
        />
      }
      mb="md"
    >
      <ul className={classes.heldTasks}>
        {hidden.map(({ rule, count }) => (
          <li key={rule}>{memberWords(rule, count)}</li>
        ))}
      </ul>
      {hidden.some(({ rule }) => rule === 'unreadable') && (
        <Text size="sm" mt="xs">
          {t`Members that an earlier sync showed stay in the list until a sync can read the members again.`}
        </Text>
      )}
    </Alert>
  );
}
