import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, get, ok, useChange } from '../../api/client.ts';
import { ifMatch, versionOf } from '../../api/version.ts';
import { ActionDialog } from '../../kit/action/action-dialog.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Unready, UnreadyPage } from '../../kit/controls/unready.tsx';
import { ApiCallDialog } from './api-call.tsx';
import { Builder } from './builder.tsx';
import { askedBy, NEW, type Query, readQuery, type SavedQuery, writeQuery } from './query.ts';
import { QueryForm } from './query-form.tsx';
import { Results } from './results.tsx';
import { querySearch } from './search.ts';
import { stopWords } from './stop-words.ts';

const Above = () => <TextLink to="/queries">{t`Queries`}</TextLink>;

/** A query that nobody has saved. */
export const NewQueryPage = () => <QueryView />;

/** A saved query. */
export function QueryPage() {
  const { queryId } = useParams({ from: '/in/queries/$queryId' });
  const saved = useQuery(get('/api/queries/{query_id}/', { path: { query_id: queryId } }));
  if (saved.data === undefined) return <UnreadyPage title={t`Query`} above={<Above />} of={saved} />;
  return <QueryView key={queryId} saved={saved.data} />;
}

const fieldsQuery = () => ({ ...get('/api/queries/fields/'), staleTime: Number.POSITIVE_INFINITY });

function QueryView({ saved }: { saved?: SavedQuery }) {
  const [at, go] = useAddress(querySearch);
  const navigate = useNavigate();
  const fields = useQuery(fieldsQuery());
  const known = fields.data?.results ?? [];
  const query = readQuery(at.query) ?? saved?.query ?? NEW;
  const asked = askedBy(known, query);
  const isChanged =
    saved !== undefined && at.query !== undefined && writeQuery(query) !== writeQuery(saved.query);
  const set = (next: Query) => go({ query: writeQuery(next) });
  const close = () => go({ dialog: undefined, page: at.page });
  const open = (dialog: NonNullable<typeof at.dialog>) => go({ dialog, page: at.page });
  const save = useChange(
    (of: SavedQuery) =>
      ok(
        api.PATCH('/api/queries/{query_id}/', {
          params: { path: { query_id: of.external_uuid }, header: ifMatch(versionOf(of)) },
          body: { query: asked as never },
        }),
      ),
    { success: t`Query saved`, after: () => go({ query: undefined }) },
  );
  const show = (id: string) =>
    navigate({ to: '/queries/$queryId', params: { queryId: id }, ignoreBlocker: true });
  const mayChange = saved?.may_change === true;
  return (
    <>
      <PageHeader
        title={saved?.name ?? t`New query`}
        isName={saved !== undefined}
        above={<Above />}
        about={saved === undefined ? t`All conditions have to hold.` : <ScheduleLine of={saved} />}
        actions={
          <>
            {mayChange && isChanged && (
              <Button loading={save.isPending} onClick={() => save.mutate(saved)}>
                {t`Save changes`}
              </Button>
            )}
            {saved === undefined && <Button onClick={() => open('save')}>{t`Save`}</Button>}
            {mayChange && (
              <Button variant="default" onClick={() => open('save')}>
                {t`Share and schedule`}
              </Button>
            )}
            {saved !== undefined && (
              <Button variant="default" onClick={() => open('copy')}>
                {t`Save a copy`}
              </Button>
            )}
            <Button variant="default" onClick={() => open('api')}>
              {t`Copy as API call`}
            </Button>
            {saved?.may_delete === true && (
              <Button variant="default" onClick={() => open('delete')}>
                {t`Delete`}
              </Button>
            )}
          </>
        }
      />
      {saved?.stopped != null && (
        <Alert color="yellow" title={t`Gatehouse stopped the schedule`} mb="md">
          {stopWords[saved.stopped]}
        </Alert>
      )}
      {fields.data === undefined ? (
        <Unready of={fields} height={200} />
      ) : (
        <>
          <Builder fields={known} query={query} set={set} />
          <Results
            fields={known}
            query={asked}
            sort={(sort) => {
              const { sort: _, ...rest } = query;
              set(sort === undefined ? rest : { ...rest, sort });
            }}
            page={at.page}
            turn={(page) => go({ page })}
          />
        </>
      )}
      {at.dialog === 'save' && (
        <Modal
          opened
          onClose={close}
          title={saved === undefined ? t`Save query` : t`Share and schedule`}
          size="lg"
        >
          <QueryForm
            of={saved}
            query={asked}
            after={({ external_uuid }) => (saved === undefined ? show(external_uuid) : close())}
          />
        </Modal>
      )}
      {at.dialog === 'copy' && (
        <Modal opened onClose={close} title={t`Save a copy`} size="lg">
          <QueryForm query={asked} after={({ external_uuid }) => show(external_uuid)} />
        </Modal>
      )}
      {at.dialog === 'api' && <ApiCallDialog query={asked} close={close} />}
      <ActionDialog
        of={
          at.dialog === 'delete' && saved !== undefined
            ? deletion(saved, () => navigate({ to: '/queries' }))
            : undefined
        }
        close={close}
      />
    </>
  );
}

const deletion = ({ external_uuid, name }: SavedQuery, after: () => Promise<void>) => ({
  title: t`Delete ${name}?`,
  sentence: t`Its schedule ends, too. This cannot be undone.`,
  button: t`Delete query`,
  danger: true,
  request: () =>
    ok(api.DELETE('/api/queries/{query_id}/', { params: { path: { query_id: external_uuid } } })),
  message: t`Query deleted`,
  after,
});

/** When a saved query ran, and when it will run. */
function ScheduleLine({ of: { next_run_at, last_run_at, shared, may_change } }: { of: SavedQuery }) {
  const own = may_change ? t`Only you and the recipients see it.` : t`Not shared.`;
  const visible = shared ? t`Shared.` : own;
  if (next_run_at === null) return <>{visible}</>;
  return (
    <Trans>
      {visible} Next run: <Moment at={next_run_at} />. Last run: <Moment at={last_run_at} none={t`never`} />.
    </Trans>
  );
}
