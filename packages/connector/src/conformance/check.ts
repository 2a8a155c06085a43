import type { Connector } from '../define.ts';
import { silent } from '../progress.ts';
import type { Stage } from './fixture.ts';

export type Group = 'static' | 'protocol' | 'read' | 'write';

/** The connector under test and the system that it is tested on. */
export type Subject = {
  connector: Connector;
  /** The connector's file, to start it as a process. */
  file: string;
  stage: Stage;
  /** True if the checks may write to the system. */
  writing: boolean;
  /** A temporary folder. */
  folder: string;
};

/** A named requirement. Its id is stable, so that reports of different versions can be compared. */
export type Check = {
  id: string;
  group: Group;
  title: string;
  /** Returns why the check does not apply to this connector or stage, or undefined if it does. */
  skip?(subject: Subject): string | undefined;
  /** Throws if the requirement is not met. */
  run(subject: Subject): Promise<void>;
};

/** A requirement that is not met. */
class Unmet extends Error {
  override name = 'Unmet';
}

export function must(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Unmet(message);
}

/** Connects with the stage's settings and always closes the connection. */
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
