import type { Connector } from '../define.ts';
import { silent } from '../progress.ts';
import type { Stage } from './fixture.ts';

export type Group = 'static' | 'protocol' | 'read' | 'write';

/** What is being tested: the connector, and the system that it is tested on. */
export type Subject = {
  connector: Connector;
  /** The connector's file, to start it as a process of its own. */
  file: string;
  stage: Stage;
  /** May the system be written to? */
  writing: boolean;
  /** A folder that is gone when the kit ends. */
  folder: string;
};

/** One named requirement. Its id is stable: reports of different versions can be held against each other. */
export type Check = {
  id: string;
  group: Group;
  title: string;
  /** Why this connector or stage cannot be held to it; undefined when it can. */
  skip?(subject: Subject): string | undefined;
  /** Throws when the requirement is not met. */
  run(subject: Subject): Promise<void>;
};

/** A requirement that is not met. */
class Unmet extends Error {
  override name = 'Unmet';
}

export function must(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Unmet(message);
}

/** Connects with the stage's settings, and closes whatever happens. */
export async function withSystem<T>(
  { connector, stage }: Pick<Subject, 'connector' | 'stage'>,
  work: (system: unknown) => Promise<T>,
  settings: Record<string, unknown> = stage.settings,
): Promise<T> {
  const { signal } = new AbortController();
  const defaults = Object.entries(connector.config).map(([name, field]) => [name, field.fallback]);
  const system: unknown = await connector.connect(
    { ...Object.fromEntries(defaults), ...settings },
    { signal, log: silent },
  );
  try {
    return await work(system);
  } finally {
    await connector.close?.(system);
  }
}
