import { Fragment, type ReactNode } from 'react';
import { FilterChip, FilterSelect, Filters, type Option, Search } from './filters.tsx';

/** Some filters in the address of a list, and what shows and changes them. */
export interface ListFilter<At, Name extends keyof At = keyof At> {
  names: readonly Name[];
  /** Nothing for a filter that is not set and that only links of other pages set. */
  show: (at: At, go: (change: Partial<At>) => void) => ReactNode;
}

/** Returns functions that declare the filters of a list, whose names are those in the address of its page. */
export function filtersOf<At extends object>(_search: (raw: Record<string, unknown>) => At) {
  const set = (name: keyof At, value: unknown) => ({ [name]: value }) as Partial<At>;
  const textOf = (value: unknown) => (value === undefined ? undefined : String(value));
  type Filter<Name extends keyof At> = ListFilter<At, Name>;
  return {
    search: <Name extends keyof At>(name: Name, label: string): Filter<Name> => ({
      names: [name],
      show: (at, go) => (
        <Search label={label} value={textOf(at[name])} set={(typed) => go(set(name, typed))} />
      ),
    }),
    /** A field for one of these options, or of these values with their words. */
    select: <Name extends keyof At, V extends string>(
      name: Name,
      label: string,
      of: readonly (Option | V)[],
      word: (value: V) => string = String,
    ): Filter<Name> => {
      const options = of.map((one) => (typeof one === 'string' ? { value: one, label: word(one) } : one));
      return {
        names: [name],
        show: (at, go) => (
          <FilterSelect
            label={label}
            options={options}
            value={textOf(at[name])}
            set={(value) => go(set(name, value))}
          />
        ),
      };
    },
    /** A filter that links of other pages set. */
    chip: <Name extends keyof At>(name: Name, label: string): Filter<Name> => ({
      names: [name],
      show: (at, go) =>
        at[name] !== undefined && <FilterChip label={label} remove={() => go(set(name, undefined))} />,
    }),
    /**
     * A field whose options stand for filters of several names. If several are set, it shows the one that `goesFirst`, or the last one, and
     * the others are chips. If it is not offered, all of them are.
     */
    either: <Name extends keyof At>(
      label: string,
      options: readonly { label: string; at: Pick<At, Name>; goesFirst?: true }[],
      isOffered = true,
    ): Filter<Name> => {
      const names = [...new Set(options.flatMap((option) => Object.keys(option.at) as Name[]))];
      const none = Object.fromEntries(names.map((name) => [name, undefined])) as Partial<At>;
      const fits = (at: At) => (option: (typeof options)[number]) =>
        (Object.keys(option.at) as Name[]).every((name) => at[name] === option.at[name]);
      return {
        names,
        show: (at, go) => {
          const given = options.filter(fits(at));
          const shown = isOffered ? (given.find(({ goesFirst }) => goesFirst) ?? given.at(-1)) : undefined;
          return (
            <>
              {isOffered && (
                <FilterSelect
                  label={label}
                  options={options.map((option, index) => ({ value: String(index), label: option.label }))}
                  value={shown && String(options.indexOf(shown))}
                  set={(value) => go({ ...none, ...options[Number(value ?? -1)]?.at })}
                />
              )}
              {given
                .filter((option) => option !== shown)
                .map(({ label: name, at: values }) => (
                  <FilterChip
                    key={name}
                    label={name}
                    remove={() =>
                      go(
                        Object.fromEntries(Object.keys(values).map((one) => [one, undefined])) as Partial<At>,
                      )
                    }
                  />
                ))}
            </>
          );
        },
      };
    },
    /** A field that shows and sets these. */
    field: <Name extends keyof At>(
      names: Name | readonly Name[],
      show: Filter<Name>['show'],
    ): Filter<Name> => ({ names: typeof names === 'object' ? names : [names], show }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the names of each filter are its own
export type Declared<At> = readonly ListFilter<At, any>[];
type NameIn<Filters> = Filters extends readonly { names: readonly (infer Name)[] }[] ? Name : never;

const namesIn = <At,>(declared: Declared<At>): (keyof At)[] => declared.flatMap(({ names }) => [...names]);

/** Returns the values of the declared filters: the query of the list, as far as it has the same names. */
export const asked = <At extends object, Filters extends Declared<At>>(at: At, declared: Filters) =>
  Object.fromEntries(namesIn<At>(declared).map((name) => [name, at[name]])) as Pick<
    At,
    NameIn<Filters> & keyof At
  >;

export const isFiltered = <At extends object>(at: At, declared: Declared<At>): boolean =>
  namesIn(declared).some((name) => at[name] !== undefined);

/** The change of the address that clears the declared filters. */
export const cleared = <At extends object>(declared: Declared<At>) =>
  Object.fromEntries(namesIn(declared).map((name) => [name, undefined])) as Partial<At>;

interface Props<At> {
  at: At;
  go: (change: Partial<At>) => void;
  declared: Declared<At>;
}

/** The fields of the declared filters. */
export function FilterFields<At extends object>({ at, go, declared }: Props<At>) {
  return declared.map(({ names, show }) => <Fragment key={names.join()}>{show(at, go)}</Fragment>);
}

/** The declared filters above a list. If the address has others that only another view shows, `all` clears them, too. */
export function ListFilters<At extends object>({
  at,
  go,
  declared,
  all = declared,
}: Props<At> & { all?: Declared<At> }) {
  return (
    <Filters some={isFiltered(at, declared)} clear={() => go(cleared(all))}>
      <FilterFields at={at} go={go} declared={declared} />
    </Filters>
  );
}
