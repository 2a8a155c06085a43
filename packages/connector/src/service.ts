import { withoutCandidates } from './candidates.ts';
import type { Confirmation } from './confirmation.ts';
import type { Changes, Grants, ResourceKind, TaskAccount, UserNames } from './define.ts';
import { Failure, ServiceError, type TaskErrorCode } from './errors.ts';
import { createHttp, type Http, type HttpOptions } from './http.ts';
import type { AnyRecord } from './records.ts';
import type { UnseenEntry } from './unseen-entries.ts';

/** A bridge app (protocol 2.1). */
export type App = {
  id: string;
  name: string;
  configuration_status: string;
  created_at: string;
  last_synced_at: string | null;
};
/** The result of pushing a page (protocol 2.4). */
export type PageResult = { total: number; created: number; updated: number };
/** The state of a sync session (protocol 2.3). The fields after `error` are optional additions (D15, D20, D24a). */
export type SessionView = {
  sync_id: string;
  status: 'in_progress' | 'completing' | 'completed' | 'error' | 'abandoned';
  progress: { slug: string; name: string; type: string; synced_count: number }[];
  error?: { error_code: string; message: string };
  superseded_by?: string;
  counts?: { created: number; updated: number; unchanged: number; removed: number };
  membership_counts?: { added: number; removed: number };
  held?: { accounts: number; memberships: number; reason?: string };
};
export type Action =
  | 'create_account'
  | 'update_account'
  | 'delete_account'
  | 'suspend_account'
  | 'unsuspend_account'
  | 'reset_password';
/** A provisioning task as connectors see it (protocol 2.6 and 4.9). */
export type Task = {
  id: string;
  action: Action;
  resource_type: string;
  status: string;
  execute_after: string | null;
  created_at: string;
  payload: {
    account?: TaskAccount | null;
    memberships?: Grants<string> | null;
    changes?: Changes<string> | null;
  };
};
/** `result` says how the outcome was confirmed (D80), and with ACCOUNT_ALREADY_EXISTS, which account exists (D82). */
export type Report = (
  | { status: 'completed' }
  | { status: 'failed'; error: { code: TaskErrorCode; message: string } }
) & { result?: Partial<Confirmation> & { account?: { id: string; email?: string | null } } };
/** An account as the read API returns it (protocol 2.9). */
export type ManagedAccount = {
  external_uuid: string;
  email: string;
  status: string;
  app: { external_uuid: string; name: string };
};
/** A list page (protocol 2.12). */
export type List<T> = { count: number; next: string | null; previous: string | null; results: T[] };

export type Service = ReturnType<typeof createService>;

/** Returns a client of the service with one function per call of the bridge and read API. */
export function createService(options: HttpOptions) {
  const http: Http = createHttp(options);
  const app = (id: string) => `/api/v1/bridge/apps/${encodeURIComponent(id)}`;
  const session = (appId: string, syncId: string) => `${app(appId)}/sync/${encodeURIComponent(syncId)}`;

  return {
    /** Makes any other call, with the same key, retries and errors. */
    http,

    /** Creates an app (protocol 4.1). Not retried after a lost response: that could create a second app. */
    async createApp(name: string, cloneFrom?: string): Promise<App> {
      const body = cloneFrom ? { name, clone_from: cloneFrom } : { name };
      return (await http('POST', '/api/v1/bridge/apps/', { body, repeatable: false })).body as App;
    },

    /** Lists the apps that the key may access (protocol 4.2). Reads both a bare array and a list page (D9). */
    async listApps(): Promise<App[]> {
      const { body } = await http('GET', '/api/v1/bridge/apps/?limit=200');
      return Array.isArray(body) ? body : (body as List<App>).results;
    },

    /** Returns one app (protocol 4.2). */
    async getApp(appId: string): Promise<App> {
      return (await http('GET', `${app(appId)}/`)).body as App;
    },

    /** Registers a resource type (protocol 4.3). Returns false if the slug is already registered. */
    async registerType(
      appId: string,
      type: { slug: string; name: string; type: ResourceKind },
    ): Promise<boolean> {
      const { status } = await http('POST', `${app(appId)}/resource-types/`, { body: type, accept: [409] });
      return status !== 409;
    },

    /** Starts a session (protocol 4.4), and names the system whose user names the connector creates, if any (D82). Safe to retry after a lost response: the newer session cancels the other. */
    async startSync(appId: string, userNames?: UserNames | null): Promise<string> {
      const options = userNames === undefined ? {} : { body: { user_names: userNames } };
      const { body } = await http('POST', `${app(appId)}/sync/`, options);
      const id = (body as { sync_id?: unknown } | undefined)?.sync_id;
      if (typeof id !== 'string') throw new Failure('the service started a session but returned no sync_id');
      return id;
    },

    /** Pushes a page (protocol 4.5). Safe to retry after a lost response: pushing a page twice changes nothing. */
    async pushPage(
      appId: string,
      syncId: string,
      slug: string,
      records: AnyRecord[],
      signal?: AbortSignal,
    ): Promise<PageResult> {
      const path = `${session(appId, syncId)}/${encodeURIComponent(slug)}/`;
      const body = { records: records.map(withoutCandidates) };
      return (await http('PUT', path, { body, ...(signal ? { signal } : {}) })).body as PageResult;
    },

    /** Completes a session (protocol 4.6). A retry may be rejected; the state of the session then decides. */
    async completeSync(appId: string, syncId: string, unseen: readonly UnseenEntry[] = []): Promise<void> {
      const { status, body } = await http('POST', `${session(appId, syncId)}/complete/`, {
        accept: [400],
        ...(unseen.length > 0 ? { body: { unseen } } : {}),
      });
      if (status !== 400) return;
      const view = await this.syncStatus(appId, syncId);
      if (view.status === 'in_progress' || view.status === 'abandoned') {
        throw new ServiceError(
          'completing the session',
          status,
          (body as { detail?: string })?.detail ?? 'refused',
        );
      }
    },

    /** Abandons a session (protocol 4.7), even after an interrupt. Returns false if the session has already ended. */
    async abandonSync(appId: string, syncId: string): Promise<boolean> {
      const options = { accept: [400, 404], evenInterrupted: true };
      const { status } = await http('POST', `${session(appId, syncId)}/abandon/`, options);
      return status < 300;
    },

    /** Returns the state of a session (protocol 4.8). */
    async syncStatus(appId: string, syncId: string): Promise<SessionView> {
      return (await http('GET', `${session(appId, syncId)}/`)).body as SessionView;
    },

    /** Lists pending tasks (protocol 4.9). */
    async pendingTasks(appId: string): Promise<Task[]> {
      return ((await http('GET', `${app(appId)}/tasks/?status=pending&limit=1000`)).body as { tasks: Task[] })
        .tasks;
    },

    /** Reports a task (protocol 4.10), even after an interrupt. Returns false if it was already resolved (409). */
    async reportTask(appId: string, taskId: string, report: Report): Promise<boolean> {
      const body =
        report.status === 'completed' ? { result: {}, ...report, error: null } : { result: null, ...report };
      const path = `${app(appId)}/tasks/${encodeURIComponent(taskId)}/status/`;
      return (await http('PATCH', path, { body, accept: [409], evenInterrupted: true })).status !== 409;
    },

    /** Lists accounts (protocol 4.14). */
    async listAccounts(query: Record<string, string>): Promise<List<ManagedAccount>> {
      return (await http('GET', `/api/accounts/?${new URLSearchParams(query)}`)).body as List<ManagedAccount>;
    },
  };
}
