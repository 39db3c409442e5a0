import { apiErrors } from './error-bodies/apis.ts';
import { frameworkErrors } from './error-bodies/frameworks.ts';
import { plainErrors } from './error-bodies/plain.ts';
import { simpleErrors } from './error-bodies/simple.ts';
import type { ToErrorBody } from './error-body.ts';
import { namesOf } from './names-of.ts';

/** The bodies that errors have in the wild, by name. */
const all = { ...simpleErrors, ...frameworkErrors, ...apiErrors, ...plainErrors };

export const errorBodies: Record<keyof typeof all, ToErrorBody> = all;

export const errorBodyNames = namesOf(errorBodies);
