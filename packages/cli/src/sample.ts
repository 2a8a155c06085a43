import type { Connector, ListContext } from '@gatehouse/connector';

type Type = {
  name: string;
  list(system: unknown, context: ListContext): AsyncIterable<object> | Iterable<object>;
};

/** Returns a connector whose lists end after some records, and the types whose lists were longer. */
export function bounded(connector: Connector, most: number): { connector: Connector; cut: Set<string> } {
  const cut = new Set<string>();
  const shorten = (types: Record<string, Type> | undefined) =>
    Object.fromEntries(
      Object.entries(types ?? {}).map(([slug, type]) => [
        slug,
        {
          ...type,
          async *list(system: unknown, context: ListContext) {
            let left = most;
            for await (const item of type.list(system, context)) {
              const records = 'records' in item ? (item.records as object[]) : [item];
              for (const record of records) {
                if (left-- === 0) {
                  cut.add(slug);
                  return;
                }
                yield record;
              }
            }
          },
        },
      ]),
    );
  const { groups, licenses, accounts } = connector;
  const shorter = { groups: shorten(groups), licenses: shorten(licenses), accounts: shorten(accounts) };
  return { connector: { ...connector, ...shorter } as Connector, cut };
}
