import { columnOf } from '../kit/table/columns.tsx';
import { NamedApp } from './app-logo.tsx';

/** The logo and the name of an app. */
export const appColumn = columnOf<string>((name) => <NamedApp name={name} />);
