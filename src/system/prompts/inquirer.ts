// A module of its own, so that the bundle has only these prompts; the others bring an editor and a character set table.
export { checkbox, input, password, select } from '@inquirer/prompts';
