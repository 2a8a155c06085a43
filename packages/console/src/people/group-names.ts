interface Named {
  id: string;
  display_name: string;
  external_id: string | null;
}

/** Returns the names of groups by their IDs. Groups that share a name get the ID that their provider gave them, too. */
export function groupNames(groups: readonly Named[]): Map<string, string> {
  const folded = (name: string) => name.trim().toLowerCase();
  const alike = Map.groupBy(groups, ({ display_name }) => folded(display_name));
  return new Map(
    groups.map(({ id, display_name, external_id }) => {
      const isAlone = alike.get(folded(display_name))?.length === 1;
      return [id, isAlone ? display_name : `${display_name} (${external_id ?? id})`];
    }),
  );
}
