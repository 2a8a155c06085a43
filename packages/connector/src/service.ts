import type { Changes, Grants, ResourceKind, TaskAccount } from './define.ts';
import { Failure, ServiceError, type TaskErrorCode } from './errors.ts';
import { createHttp, type Http, type HttpOptions } from './http.ts';
import type { AnyRecord } from './records.ts';

/** Contract 2.1. */
export type App = {
  id: string;
  name: string;
  configuration_status: string;
  created_at: string;
  last_synced_at: string | null;
};
/** Contract 2.4. */
export type PageResult = { total: number; created: number; updated: number };
/** Contract 2.3. What follows `error` is more than the contract promises (D15, D20, D24a) and may be absent. */
export type SessionView = {
  sync_id: string;
  status: 'in_progress' | 'completing' | 'completed' | 'error' | 'abandoned';
  progress: { slug: string; name: string; type: string; synced_count: number }[];
  error?: { error_code: string; message: string };
  superseded_by?: string;
  counts?: { created: number; updated: number; unchanged: number; removed: number };
  membership_counts?: { added: number; removed: number };
  held?: { accounts: number; memberships: number };
};
export type Action =
  | 'create_account'
  | 'update_account'
  | 'delete_account'
  | 'suspend_account'
  | 'unsuspend_account'
  | 'reset_password';
/** Contract 2.6 and 4.9. */
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
export type Report =
  | { status: 'completed' }
  | { status: 'failed'; error: { code: TaskErrorCode; message: string } };
/** Contract 2.9 and 2.12. */
export type ManagedAccount = {
  external_uuid: string;
  email: string;
  status: string;
  app: { external_uuid: string; name: string };
};
export type List<T> = { count: number; next: string | null; previous: string | null; results: T[] };

export type Service = ReturnType<typeof createService>;

/** The contract's bridge and read calls, one function each. */
export function createService(options: HttpOptions) {
  const http: Http = createHttp(options);
  const app = (id: string) => `/api/v1/bridge/apps/${encodeURIComponent(id)}`;
  const session = (appId: string, syncId: string) => `${app(appId)}/sync/${encodeURIComponent(syncId)}`;

  return {
    /** For calls beyond these, with the same key, retries and errors. */
    http,

    /** Contract 4.1. Not repeated after a lost answer: that would make a second app. */
    async createApp(name: string, cloneFrom?: string): Promise<App> {
      const body = cloneFrom ? { name, clone_from: cloneFrom } : { name };
      return (await http('POST', '/api/v1/bridge/apps/', { body, repeatable: false })).body as App;
    },

    /** Contract 4.2 leaves the shape open: a bare list and a paged one (D9) are both read. */
    async listApps(): Promise<App[]> {
      const { body } = await http('GET', '/api/v1/bridge/apps/?limit=200');
      return Array.isArray(body) ? body : (body as List<App>).results;
    },

    /** Contract 4.3. False when the slug was there already, which is fine. */
    async registerType(
      appId: string,
      type: { slug: string; name: string; type: ResourceKind },
    ): Promise<boolean> {
      const { status } = await http('POST', `${app(appId)}/resource-types/`, { body: type, accept: [409] });
      return status !== 409;
    },

    /** Contract 4.4. A lost answer may be repeated: the newer session cancels the other. */
    async startSync(appId: string): Promise<string> {
      const { body } = await http('POST', `${app(appId)}/sync/`);
      const id = (body as { sync_id?: unknown } | undefined)?.sync_id;
      if (typeof id !== 'string')
        throw new Failure('the service started a session without telling its sync_id');
      return id;
    },

    /** Contract 4.5. A lost answer may be repeated: the same page again changes nothing. */
    async pushPage(appId: string, syncId: string, slug: string, records: AnyRecord[]): Promise<PageResult> {
      const path = `${session(appId, syncId)}/${encodeURIComponent(slug)}/`;
      return (await http('PUT', path, { body: { records } })).body as PageResult;
    },

    /** Contract 4.6. After a lost answer a second call may be refused: what the session became decides. */
    async completeSync(appId: string, syncId: string): Promise<void> {
      const { status, body } = await http('POST', `${session(appId, syncId)}/complete/`, { accept: [400] });
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

    /** Contract 4.7. False when the session had ended already. Sent even when the run was interrupted. */
    async abandonSync(appId: string, syncId: string): Promise<boolean> {
      const options = { accept: [400, 404], evenInterrupted: true };
      const { status } = await http('POST', `${session(appId, syncId)}/abandon/`, options);
      return status < 300;
    },

    /** Contract 4.8. */
    async syncStatus(appId: string, syncId: string): Promise<SessionView> {
      return (await http('GET', `${session(appId, syncId)}/`)).body as SessionView;
    },

    /** Contract 4.9. */
    async pendingTasks(appId: string): Promise<Task[]> {
      return ((await http('GET', `${app(appId)}/tasks/?status=pending&limit=1000`)).body as { tasks: Task[] })
        .tasks;
    },

    /** Contract 4.10. False on 409: the task was already resolved (7.5). Sent even when the run was interrupted. */
    async reportTask(appId: string, taskId: string, report: Report): Promise<boolean> {
      const body =
        report.status === 'completed' ? { ...report, result: {}, error: null } : { ...report, result: null };
      const path = `${app(appId)}/tasks/${encodeURIComponent(taskId)}/status/`;
      return (await http('PATCH', path, { body, accept: [409], evenInterrupted: true })).status !== 409;
    },

    /** Contract 4.14. */
    async listAccounts(query: Record<string, string>): Promise<List<ManagedAccount>> {
      return (await http('GET', `/api/accounts/?${new URLSearchParams(query)}`)).body as List<ManagedAccount>;
    },
  };
}
