import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { heldBy, heldKey, whyHeld } from '../../access/held.ts';
import { Why } from '../../access/why.tsx';
import { type Answer, get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { UnreadyPage } from '../../kit/controls/unready.tsx';
import { Name } from '../../kit/text/name.tsx';
import { personName } from '../../kit/text/words.ts';
import classes from './team.module.css';

type Report = Answer<'/api/my-team/{report_id}/'>;

/** One person who reports to the signed-in person: what they have, and what waits for a decision. */
export function ReportPage() {
  const { reportId } = useParams({ from: '/in/team/$reportId' });
  const { role, readsAll } = useMe();
  const query = useQuery(get('/api/my-team/{report_id}/', { path: { report_id: reportId } }));
  const above = <TextLink to="/team">{t`My team`}</TextLink>;
  const report = query.data;
  if (report === undefined) return <UnreadyPage title={t`Person`} above={above} of={query} />;
  const { access, accounts } = report;
  const name = personName(report);
  return (
    <>
      <PageHeader
        title={name}
        isName
        above={above}
        beside={<Status of={report.status} />}
        actions={
          <>
            {readsAll && (
              <ButtonLink variant="default" to="/people/$userId" params={{ userId: reportId }}>
                {t`Show person`}
              </ButtonLink>
            )}
            {role !== 'auditor' && report.status === 'active' && (
              <ButtonLink to="/requests/new" search={{ user: reportId }}>
                {t`Request access`}
              </ButtonLink>
            )}
          </>
        }
      />
      {report.status === 'deactivated' && access.accounts > 0 && (
        <p>
          <Status
            of="leaver"
            look="warn"
            word={plural(access.accounts, {
              one: 'This person is deactivated and still has # account.',
              other: 'This person is deactivated and still has # accounts.',
            })}
          />
        </p>
      )}
      <div className={classes.columns}>
        <div>
          <Section title={t`Access`}>
            <Accounts of={accounts} />
          </Section>
        </div>
        <div>
          <Section title={t`Open requests`}>
            <Requests of={report.requests} />
          </Section>
          <Section title={t`Reviews`}>
            <Reviews of={report.reviews} />
          </Section>
          <Section title={t`Profile`}>
            <Properties
              of={[
                [t`Email`, report.email],
                [t`Title`, report.title ?? undefined],
                [t`Department`, report.department ?? undefined],
                [t`Last sign-in`, <Moment key="used" at={access.last_sign_in_at} none={t`Unknown`} />],
              ]}
            />
          </Section>
        </div>
      </div>
    </>
  );
}

function Accounts({ of: accounts }: { of: Report['accounts'] }) {
  if (accounts.length === 0) return <Empty title={t`No accounts`} />;
  return (
    <ul className={classes.list} aria-label={t`Accounts`}>
      {accounts.map((account) => (
        <li key={account.external_uuid}>
          <div className={classes.head}>
            <TextLink to="/apps/$appId" params={{ appId: account.app.external_uuid }}>
              <Name of={account.app.name} />
            </TextLink>
            <Status of={account.status} />
          </div>
          <p className={classes.small}>
            <Name of={account.email || account.username} />
            {' · '}
            <LastSignIn at={account.last_sign_in_at ?? null} />
          </p>
          <p className={classes.small}>
            <Why
              of={{
                ...account,
                account: account.external_uuid,
                appId: account.app.external_uuid,
                name: account.app.name,
                held: null,
              }}
            />
          </p>
          <ul className={classes.entitlements} aria-label={t`Groups and licenses`}>
            {heldBy(account).map((held) => (
              <li key={heldKey(held)}>
                <Why of={whyHeld(held)}>
                  <Name of={held.name || held.id} />
                </Why>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function LastSignIn({ at }: { at: string | null }) {
  if (at === null) return t`Last sign-in unknown`;
  return (
    <Trans>
      Last sign-in <Moment at={at} />
    </Trans>
  );
}

function Requests({ of: requests }: { of: Report['requests'] }) {
  const { readsAll } = useMe();
  if (requests.length === 0) return <p className={classes.small}>{t`No open requests`}</p>;
  return (
    <ul className={classes.list} aria-label={t`Open requests`}>
      {requests.map(({ external_uuid, label, created_at, to_decide, is_own }) => (
        <li key={external_uuid}>
          {readsAll || to_decide || is_own ? (
            <TextLink to="/requests/$ticketId" params={{ ticketId: external_uuid }}>
              <Name of={label} />
            </TextLink>
          ) : (
            <strong>
              <Name of={label} />
            </strong>
          )}
          <p className={classes.small}>
            <Trans>
              Requested <Moment at={created_at} />
            </Trans>
          </p>
          {to_decide && (
            <ButtonLink
              size="xs"
              mt={4}
              to="/approvals"
              search={{ ticket: external_uuid }}
              aria-label={t`Decide: ${label}`}
            >
              {t`Decide`}
            </ButtonLink>
          )}
        </li>
      ))}
    </ul>
  );
}

function Reviews({ of: reviews }: { of: Report['reviews'] }) {
  const { readsAll } = useMe();
  if (reviews.length === 0) return <p className={classes.small}>{t`No open reviews`}</p>;
  return (
    <ul className={classes.list} aria-label={t`Reviews`}>
      {reviews.map(({ external_uuid, name, due_at, undecided, to_decide }) => (
        <li key={external_uuid}>
          {readsAll || to_decide > 0 ? (
            <TextLink to="/reviews/cycles/$cycleId" params={{ cycleId: external_uuid }}>
              <Name of={name} />
            </TextLink>
          ) : (
            <strong>
              <Name of={name} />
            </strong>
          )}
          <p className={classes.small}>
            {to_decide > 0 ? (
              <Plural value={to_decide} one="# item for you to review" other="# items for you to review" />
            ) : (
              <Plural value={undecided} one="# undecided item" other="# undecided items" />
            )}
          </p>
          {due_at !== null && (
            <p className={classes.small}>
              <Trans>
                Due <Moment at={due_at} />
              </Trans>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
