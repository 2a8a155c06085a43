import { t } from '@lingui/core/macro';
import { Skeleton, VisuallyHidden } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';
import { IconSettings } from '../kit/icons/icons.ts';
import classes from './areas.module.css';
import { type Page, usePages } from './navigation.ts';

const MOST = 99;

/** The areas of the console. Work shows its pages always, all others while one of them is open. */
export function Areas() {
  const { me } = useMe();
  const shown = usePages(me);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (me === undefined) return <Skeleton height={14} m="md" width={120} />;
  return (
    <ul className={classes.areas}>
      {[...Map.groupBy(shown, ({ area }) => area)].map(([area, own]) => (
        <li key={area}>
          <Area area={area} own={own} path={path} />
        </li>
      ))}
    </ul>
  );
}

function Area({ area, own, path }: { area: Page['area']; own: Page[]; path: string }) {
  const [first, ...others] = own;
  if (first === undefined) return null;
  const isOpen = area === 'work' || own.some(({ to }) => path === to || path.startsWith(`${to}/`));
  // Settings have no page of their own.
  if (area === 'settings')
    return (
      <>
        {isOpen ? (
          <span className={classes.name}>
            <IconSettings size={17} stroke={1.6} aria-hidden />
            {t`Settings`}
          </span>
        ) : (
          <PageLink page={{ ...first, name: t`Settings`, icon: IconSettings }} />
        )}
        {isOpen && <SubPages of={own} />}
      </>
    );
  return (
    <>
      <PageLink page={first} />
      {isOpen && <SubPages of={others} />}
    </>
  );
}

function SubPages({ of }: { of: Page[] }) {
  if (of.length === 0) return null;
  return (
    <ul className={classes.pages}>
      {of.map((page) => (
        <li key={page.to}>
          <PageLink page={page} />
        </li>
      ))}
    </ul>
  );
}

function PageLink({ page: { to, name, icon: Icon, search, count = 0, isDangerous, words } }: { page: Page }) {
  return (
    <Link to={to} {...(search && { search })} activeOptions={{ exact: to === '/', includeSearch: false }}>
      <Icon size={17} stroke={1.6} aria-hidden />
      {name}
      {count > 0 && (
        <>
          <span className={classes.count} data-dangerous={isDangerous || undefined} aria-hidden>
            {count > MOST ? `${MOST}+` : count}
          </span>
          <VisuallyHidden>{words}</VisuallyHidden>
        </>
      )}
    </Link>
  );
}
