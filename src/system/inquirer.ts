// Only what is asked for here is bundled; the other prompts bring an editor and a character set table.
export { confirm, input, password, select } from '@inquirer/prompts';
