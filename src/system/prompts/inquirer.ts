// A module of its own, so that the bundle has only these prompts: the others need an editor and a character set table.
export { confirm, input, password, select } from '@inquirer/prompts';
