import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Plain<T> = T & Omit<ComponentPropsWithRef<'a'>, keyof T>;

/** A link within the console, checked against the routes: `<TextLink to="/apps/$appId" params={{ appId }}>`. */
export const TextLink = createLink((props: Plain<AnchorProps>) => <Anchor {...props} />);

/** A link within the console that looks like a button. */
export const ButtonLink = createLink((props: Plain<ButtonProps>) => <Button component="a" {...props} />);
