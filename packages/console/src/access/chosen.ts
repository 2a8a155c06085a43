type BySlug = Record<string, { id: string; name: string }[]>;

/** A selected group or license. */
export interface Chosen {
  slug: string;
  type: string;
  id: string;
  name: string;
  /** Whether a license has no free seats, if known. */
  is_full?: boolean | null;
}

/** A key made of slug and ID. It is unambiguous because a slug contains no slash. */
export const keyOf = ({ slug, id }: { slug: string; id: string }) => `${slug}/${id}`;

/** Lists the entitlements of an account or a request, groups first. */
export const chosenOf = (what: { memberships: BySlug; assignments: BySlug }): Chosen[] =>
  [['group', what.memberships] as const, ['license', what.assignments] as const].flatMap(([type, all]) =>
    Object.entries(all).flatMap(([slug, refs]) => refs.map(({ id, name }) => ({ slug, type, id, name }))),
  );

/** Returns the IDs by slug, as the API takes them, optionally of one type only. */
export function idsBySlug(chosen: readonly Chosen[], type?: string): Record<string, string[]> {
  const own = chosen.filter((one) => type === undefined || one.type === type);
  return Object.fromEntries(
    [...Map.groupBy(own, ({ slug }) => slug)].map(([slug, all]) => [slug, all.map(({ id }) => id)]),
  );
}

/** Returns the additions and removals by slug, as the API takes a change of access. */
export function changesOf(added: readonly Chosen[], removed: readonly Chosen[]) {
  const [give, take] = [idsBySlug(added), idsBySlug(removed)];
  const slugs = [...new Set([...Object.keys(give), ...Object.keys(take)])];
  return Object.fromEntries(
    slugs.map((slug) => [slug, { added: give[slug] ?? [], removed: take[slug] ?? [] }]),
  );
}
