import { type Argument, type Command, Help, type HelpConfiguration, type Option } from 'commander';
import { joinTexts, type Say, Sentence, t } from '../advice/advice.ts';

/** The texts of commander and of the commands, which are English, in the language of `say`. */
export function speakHelp(say: Say): { text(text: string): string; configuration: HelpConfiguration } {
  const plain = new Help();
  // Examples and the lines of a table are indented.
  const sayLine = (line: string) => (/^\S/.test(line) ? say(new Sentence([line], [])) : line);
  const text = (lines: string) => lines.split('\n').map(sayLine).join('\n');
  const inTerm = (term: string) =>
    term.replace('[options]', say(t`[options]`)).replace('[command]', say(t`[command]`));
  const optionDescription = ({ description, argChoices, defaultValue }: Option) => {
    const choices = argChoices ? [say(t`(choices: ${joinTexts(argChoices, ', ')})`)] : [];
    const preset = typeof defaultValue === 'string' ? [say(t`(default: ${defaultValue})`)] : [];
    return [sayLine(description), ...choices, ...preset].join(' ');
  };
  return {
    text,
    configuration: {
      styleTitle: text,
      commandUsage: (command: Command) => inTerm(plain.commandUsage(command)),
      subcommandTerm: (command: Command) => inTerm(plain.subcommandTerm(command)),
      commandDescription: (command: Command) => text(plain.commandDescription(command)),
      subcommandDescription: (command: Command) => sayLine(plain.subcommandDescription(command)),
      argumentDescription: (argument: Argument) => sayLine(argument.description),
      optionDescription,
    },
  };
}
