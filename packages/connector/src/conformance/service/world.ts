import { randomUUID } from 'node:crypto';
import { TASK_ERROR_CODES } from '../../../../protocol/src/task-errors.ts';
import type { Confirmation } from '../../confirmation.ts';
import type { Action, SessionView, Task } from '../../service.ts';
import type { UnseenEntry } from '../../unseen-entries.ts';
import { type Kind, Refusal, type StoredRecord, validatePage, validateUnseen } from './validate.ts';

type Live = { record: StoredRecord; active: boolean };
type Session = {
  id: string;
  status: SessionView['status'];
  error?: { error_code: string; message: string };
  supersededBy?: string;
  /** Pushed and referenced records by slug, then id. Published at the end of the session (D15). */
  staged: Map<string, Map<string, StoredRecord>>;
  synced: Map<string, number>;
  startedWith: Set<string>;
  /** The report of the connector on what it has not seen, from the completion. */
  unseen?: UnseenEntry[];
  /** The number of status calls that still return "completing". */
  completingFor: number;
};
export type WorldApp = {
  id: string;
  name: string;
  createdAt: string;
  lastSyncedAt: string | null;
  types: Map<string, { id: string; slug: string; name: string; type: Kind; created_at: string }>;
  live: Map<string, Map<string, Live>>;
  sessions: Map<string, Session>;
  tasks: Map<string, Task & { error?: { code: string; message: string }; result?: Partial<Confirmation> }>;
};
export type World = ReturnType<typeof createWorld>;

const nameOf = (slug: string, id: string) => `${slug}\n${id}`;
const entry = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
};

/** Implements the protocol's rules for apps, sync sessions and tasks in memory. */
export function createWorld() {
  const apps = new Map<string, WorldApp>();

  function find(appId: string): WorldApp {
    const app = apps.get(appId);
    if (!app) throw new Refusal(404, 'App not found');
    return app;
  }

  function session(appId: string, syncId: string): { app: WorldApp; session: Session } {
    const app = find(appId);
    const found = app.sessions.get(syncId);
    if (!found) throw new Refusal(404, 'Sync session not found');
    return { app, session: found };
  }

  function open(appId: string, syncId: string): { app: WorldApp; session: Session } {
    const found = session(appId, syncId);
    if (found.session.status !== 'in_progress')
      throw new Refusal(400, `Sync session is ${found.session.status}`);
    return found;
  }

  return {
    apps,
    find,

    /** Creates an app (protocol 4.1). */
    createApp(name: string): WorldApp {
      const app: WorldApp = {
        id: randomUUID(),
        name,
        createdAt: new Date().toISOString(),
        lastSyncedAt: null,
        types: new Map(),
        live: new Map(),
        sessions: new Map(),
        tasks: new Map(),
      };
      apps.set(app.id, app);
      return app;
    },

    /** Registers a resource type (protocol 4.3). */
    registerType(appId: string, slug: string, name: string, type: Kind) {
      const { types } = find(appId);
      if (types.has(slug)) throw new Refusal(409, `Resource type '${slug}' already exists`);
      const made = { id: randomUUID(), slug, name, type, created_at: new Date().toISOString() };
      types.set(slug, made);
      return made;
    },

    /** Starts a session and cancels the one in progress (protocol 3.1). */
    start(appId: string): string {
      const app = find(appId);
      const id = randomUUID();
      for (const other of app.sessions.values()) {
        if (other.status === 'in_progress') Object.assign(other, { status: 'abandoned', supersededBy: id });
      }
      const startedWith = new Set(
        [...app.live].flatMap(([slug, records]) => [...records.keys()].map((each) => nameOf(slug, each))),
      );
      app.sessions.set(id, {
        id,
        status: 'in_progress',
        staged: new Map(),
        synced: new Map(),
        startedWith,
        completingFor: 1,
      });
      return id;
    },

    /** Stages a page (protocol 4.5). */
    push(appId: string, syncId: string, slug: string, body: unknown) {
      const { app, session } = open(appId, syncId);
      const type = app.types.get(slug);
      if (!type) throw new Refusal(404, `Resource type '${slug}' not found`);
      const slugs = new Map([...app.types.values()].map((each) => [each.slug, each.type]));
      const records = validatePage(body, type.type, slug, slugs);
      const staged = entry(session.staged, slug, () => new Map());
      let created = 0;
      for (const record of records) {
        if (!staged.has(record.id) && !session.startedWith.has(nameOf(slug, record.id))) created++;
        staged.set(record.id, record);
      }
      session.synced.set(slug, staged.size);
      return { total: records.length, created, updated: records.length - created };
    },

    /** Completes a session (protocol 4.6). With `failing`, the cleanup fails for good (protocol 7.3). */
    complete(appId: string, syncId: string, failing: boolean, body?: unknown): void {
      const { session: before } = session(appId, syncId);
      if (before.status === 'completing' || before.status === 'completed') return;
      const { app, session: ending } = open(appId, syncId);
      const unseen = validateUnseen(body, app.types);
      if (unseen) ending.unseen = unseen;
      publish(app, ending);
      if (failing) {
        ending.status = 'error';
        ending.error = { error_code: 'CLEANUP_FAILED', message: 'cleanup failed after maximum retries' };
        return;
      }
      removeStale(app, ending);
      ending.status = 'completing';
      app.lastSyncedAt = new Date().toISOString();
    },

    /** Abandons a session (protocol 4.7). */
    abandon(appId: string, syncId: string): void {
      const { session: before } = session(appId, syncId);
      if (before.status === 'abandoned' && !before.supersededBy) return;
      const { app, session: ending } = open(appId, syncId);
      publish(app, keepingRefs(app, ending));
      ending.status = 'abandoned';
    },

    /** Returns the state of a session (protocol 4.8, 2.3) without additions: a connector must not need more. */
    status(appId: string, syncId: string) {
      const { app, session: asked } = session(appId, syncId);
      if (asked.status === 'completing' && asked.completingFor-- <= 0) asked.status = 'completed';
      const progress = [...app.types.values()].map(({ slug, name, type }) => ({
        slug,
        name,
        type,
        synced_count: asked.synced.get(slug) ?? 0,
      }));
      return {
        sync_id: asked.id,
        status: asked.status,
        progress,
        ...(asked.error ? { error: asked.error } : {}),
      };
    },

    /** Creates a pending task (protocol 2.6). */
    addTask(appId: string, resourceType: string, action: Action, payload: Task['payload']): Task {
      const task: Task = {
        id: randomUUID(),
        action,
        resource_type: resourceType,
        status: 'pending',
        execute_after: null,
        created_at: new Date().toISOString(),
        payload: { account: null, memberships: null, changes: null, ...payload },
      };
      find(appId).tasks.set(task.id, task);
      return task;
    },

    /** Lists tasks, oldest first (protocol 4.9). */
    tasks: (appId: string, status: string | null) =>
      [...find(appId).tasks.values()].filter((task) => status === null || task.status === status),

    /** Takes a report (protocol 4.10, 7.5). */
    report(appId: string, taskId: string, body: unknown) {
      const task = find(appId).tasks.get(taskId);
      if (!task) throw new Refusal(404, 'Task not found');
      if (task.status !== 'pending')
        throw new Refusal(409, `Task is already in '${task.status}' state and cannot be updated.`);
      const { status, error, result } = (body ?? {}) as {
        status?: string;
        result?: Partial<Confirmation> | null;
        error?: { code: string; message: string } | null;
      };
      if (status !== 'completed' && status !== 'failed')
        throw new Refusal(400, "Input should be 'completed' or 'failed' (status)");
      if (status === 'completed' && error) throw new Refusal(400, 'a completed task has no error');
      if (
        status === 'failed' &&
        !(
          error &&
          (TASK_ERROR_CODES as readonly string[]).includes(error.code) &&
          typeof error.message === 'string'
        )
      ) {
        throw new Refusal(400, 'a failed task needs an error with a known code and a message');
      }
      task.status = status;
      if (error) task.error = error;
      if (result) task.result = result;
      return task;
    },

    /** Lists the accounts that syncs created (protocol 4.14, 2.9). */
    accounts(appId: string, status: string | null) {
      const app = find(appId);
      const reference = { external_uuid: app.id, name: app.name };
      return [...app.types.values()]
        .filter(({ type }) => type === 'account')
        .flatMap(({ slug }) => [...(app.live.get(slug) ?? new Map<string, Live>())])
        .map(([, { active, record }]) => ({
          external_uuid: String(record.id),
          email: String(record.email ?? ''),
          status: active ? String(record.status ?? 'active').toUpperCase() : 'INACTIVE',
          app: reference,
        }))
        .filter((account) => status === null || account.status === status);
    },

    /** Returns the current inventory in a fixed order, to compare runs. */
    inventory(appId: string): Record<string, StoredRecord[]> {
      const out: Record<string, StoredRecord[]> = {};
      for (const [slug, records] of [...find(appId).live].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const active = [...records.values()].filter((each) => each.active).map((each) => each.record);
        out[slug] = active.sort((a, b) => (a.id < b.id ? -1 : 1));
      }
      return out;
    },
  };
}

/** Publishes staged records and creates referenced groups and licenses (D15, D18). */
function publish(app: WorldApp, { staged }: Session): void {
  for (const [slug, records] of staged) {
    const live = entry(app.live, slug, () => new Map());
    for (const [id, record] of records) {
      live.set(id, { record, active: true });
      for (const [refSlug, refs] of refsOf(record)) {
        const target = entry(app.live, refSlug, () => new Map());
        for (const ref of refs) {
          const known = target.get(ref.id);
          if (known) known.active = true;
          else target.set(ref.id, { record: { ...ref }, active: true });
        }
      }
    }
  }
}

/** The session with the memberships and assignments that its accounts already have: an abandoned one removes none (D17). */
function keepingRefs(app: WorldApp, session: Session): Session {
  const merged = [...session.staged].map(([slug, records]) => {
    const known = app.live.get(slug);
    const together = [...records].map(([id, record]) => [id, withRefsOf(record, known?.get(id))] as const);
    return [slug, new Map(together)] as const;
  });
  return { ...session, staged: new Map(merged) };
}

function withRefsOf(record: StoredRecord, known: Live | undefined): StoredRecord {
  if (!known?.active) return record;
  const kept = (['memberships', 'assignments'] as const).flatMap((name) => {
    const before = refsIn(known.record, name);
    const now = refsIn(record, name);
    const slugs = [...new Set([...Object.keys(now), ...Object.keys(before)])];
    const union = (slug: string) => {
      const refs = [...(now[slug] ?? []), ...(before[slug] ?? [])];
      return [...new Map(refs.map((ref) => [ref.id, ref])).values()];
    };
    return slugs.length === 0
      ? []
      : [[name, Object.fromEntries(slugs.map((slug) => [slug, union(slug)]))] as const];
  });
  return { ...record, ...Object.fromEntries(kept) };
}

const refsIn = (record: StoredRecord, name: 'memberships' | 'assignments') =>
  (record[name] ?? {}) as Record<string, { id: string }[] | null>;

/** Marks records inactive that were known at the start and neither pushed nor referenced (D16, D17). */
function removeStale(app: WorldApp, { staged, startedWith }: Session): void {
  const kept = new Set<string>();
  for (const [slug, records] of staged) {
    for (const [id, record] of records) {
      kept.add(nameOf(slug, id));
      for (const [refSlug, refs] of refsOf(record)) for (const ref of refs) kept.add(nameOf(refSlug, ref.id));
    }
  }
  for (const [slug, records] of app.live) {
    for (const [id, live] of records) {
      if (!kept.has(nameOf(slug, id)) && startedWith.has(nameOf(slug, id))) live.active = false;
    }
  }
}

function refsOf(record: StoredRecord): [string, { id: string }[]][] {
  const maps = [record.memberships ?? {}, record.assignments ?? {}] as Record<
    string,
    { id: string }[] | null
  >[];
  return maps.flatMap((map) => Object.entries(map)).map(([slug, refs]) => [slug, refs ?? []]);
}
