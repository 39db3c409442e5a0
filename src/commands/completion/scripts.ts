export interface CommandTree {
  name: string;
  commands: readonly CompletedCommand[];
  /** The flags that every command takes. */
  flags: readonly CompletedFlag[];
}

export interface CompletedCommand {
  /** The words before it, each after a space: ` sandbox start`; empty for the program. */
  path: string;
  subcommands: readonly { name: string; description: string }[];
  flags: readonly CompletedFlag[];
  /** Of its first argument; undefined when it takes none. */
  argument: Values | undefined;
}

export interface CompletedFlag {
  /** `--profile`, and `-p` when it has a short form. */
  names: readonly string[];
  description: string;
  /** Undefined for a flag that takes none. */
  values: Values | undefined;
}

/** What may stand after a command or as the value of a flag. */
export type Values =
  | { kind: 'any' }
  /** Files, and perhaps words that stand for some. */
  | { kind: 'files'; words: readonly string[] }
  | { kind: 'words'; words: readonly string[] }
  /** The lines that this program prints for these arguments. */
  | { kind: 'printed'; args: string };

/**
 * Each script finds the command before the cursor by going through the words, past the values of flags, and then offers
 * the values of the flag before the cursor, the flags of the command, or what may stand after it.
 */

export function formatBash(tree: CommandTree): string {
  const { name, commands } = tree;
  const offer = (values: Values): string => {
    switch (values.kind) {
      case 'any':
        return 'return';
      case 'files':
        return `values=${quote(values.words.join(' '))}; files=1`;
      case 'words':
        return `values=${quote(values.words.join(' '))}`;
      case 'printed':
        return `values=$(${name} ${values.args} 2> /dev/null)`;
    }
  };
  const flagNames = (command: CompletedCommand) =>
    [...command.flags, ...tree.flags].flatMap(({ names }) => names).join(' ');
  return `# bash completion for ${name}
_${name.replaceAll('-', '_')}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} at='' values='' files='' i
  # Bash makes three words of --format=json.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${patterns(flagsWithValues(tree))})
        if [[ \${COMP_WORDS[i + 1]} == '=' ]]; then ((i += 2)); else ((i += 1)); fi ;;
      ${patterns(commandPaths(tree))}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $previous" in
${valueCases(tree, offer, 4)}
    *)
      if [[ $current == -* ]]; then
        case "$at" in
${commands.map((command) => `          ${quote(command.path)}) values=${quote(flagNames(command))} ;;`).join('\n')}
        esac
      else
        case "$at" in
${commands.map((command) => `          ${quote(command.path)}) ${offer(wordsAfter(command))} ;;`).join('\n')}
        esac
      fi
      ;;
  esac
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$values" -- "$current"))
  if [[ -n $files ]]; then
    IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$current"))
    compopt -o filenames 2> /dev/null
  fi
}
complete -F _${name.replaceAll('-', '_')} ${name}`;
}

export function formatZsh(tree: CommandTree): string {
  const { name, commands } = tree;
  const completer = `_${name.replaceAll('-', '_')}`;
  const offer = (values: Values): string => {
    switch (values.kind) {
      case 'any':
        return "_message 'value'";
      case 'files':
        return values.words.length === 0 ? '_files' : `compadd -- ${values.words.join(' ')}; _files`;
      case 'words':
        return `compadd -- ${values.words.join(' ')}`;
      case 'printed':
        return `compadd -- \${(f)"$(${name} ${values.args} 2> /dev/null)"}`;
    }
  };
  const describe = (what: string, items: readonly { name: string; description: string }[]) => {
    const list = items.map((item) => quote(`${item.name.replaceAll(':', '\\:')}:${item.description}`));
    return `items=(${list.join(' ')}); _describe ${what} items`;
  };
  const flagsOf = (command: CompletedCommand) =>
    [...command.flags, ...tree.flags].flatMap(({ names, description }) =>
      names.map((flag) => ({ name: flag, description })),
    );
  const after = (command: CompletedCommand) =>
    command.subcommands.length > 0 ? describe('command', command.subcommands) : offer(wordsAfter(command));
  return `#compdef ${name}
${completer}() {
  local previous=$words[CURRENT-1] at='' i
  local -a items
  if [[ $words[CURRENT] == --*=* ]]; then
    previous=\${words[CURRENT]%%=*}
    compset -P 1 '*='
  fi
  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
      ${patterns(flagsWithValues(tree))}) ((i += 1)) ;;
      ${patterns(commandPaths(tree))}) at="$at $words[i]" ;;
    esac
  done
  case "$at $previous" in
${valueCases(tree, offer, 4)}
    *)
      if [[ $PREFIX == -* ]]; then
        case "$at" in
${commands.map((command) => `          ${quote(command.path)}) ${describe('flag', flagsOf(command))} ;;`).join('\n')}
        esac
      else
        case "$at" in
${commands.map((command) => `          ${quote(command.path)}) ${after(command)} ;;`).join('\n')}
        esac
      fi
      ;;
  esac
}
if [[ $funcstack[1] == ${completer} ]]; then
  ${completer} "$@"
else
  compdef ${completer} ${name}
fi`;
}

export function formatFish(tree: CommandTree): string {
  const { name, commands } = tree;
  const at = `__${name.replaceAll('-', '_')}_at`;
  const offer = (values: Values): string => {
    switch (values.kind) {
      case 'any':
        return '-x';
      case 'files':
        return values.words.length === 0 ? '-r -F' : `-r -F -a ${quote(values.words.join(' '))}`;
      case 'words':
        return `-x -a ${quote(values.words.join(' '))}`;
      case 'printed':
        return `-x -a ${quote(`(${name} ${values.args} 2> /dev/null)`)}`;
    }
  };
  const flagLine = ({ names, description, values }: CompletedFlag, when: string) => {
    const forms = names.map((form) =>
      form.startsWith('--') ? `-l ${form.slice(2)}` : `-s ${form.slice(1)}`,
    );
    const value = values === undefined ? [] : [offer(values)];
    return [
      `complete -c ${name}`,
      ...(when === '' ? [] : [when]),
      ...forms,
      ...value,
      `-d ${quote(description)}`,
    ].join(' ');
  };
  const lines = commands.flatMap((command) => {
    const when = `-n ${quote(`${at} '${command.path}'`)}`;
    const { argument } = command;
    return [
      ...command.subcommands.map(
        (child) => `complete -c ${name} ${when} -a ${child.name} -d ${quote(child.description)}`,
      ),
      ...(argument === undefined || argument.kind === 'any'
        ? []
        : [`complete -c ${name} ${when} ${offer(argument).replace(/^-[xr] /, '')}`]),
      ...command.flags.map((flag) => flagLine(flag, when)),
    ];
  });
  return `# fish completion for ${name}
function ${at} -d 'Whether this command stands before the cursor'
  set -l found ''
  set -l isValue 0
  for word in (commandline -opc)[2..]
    if test $isValue = 1
      set isValue 0
      continue
    end
    switch "$found $word"
      case ${flagsWithValues(tree).map(quote).join(' ')}
        set isValue 1
      case ${commandPaths(tree).map(quote).join(' ')}
        set found "$found $word"
    end
  end
  test "$found" = "$argv[1]"
end
complete -c ${name} -f
${tree.flags.map((flag) => flagLine(flag, '')).join('\n')}
${lines.join('\n')}`;
}

/** Subcommands first: no command of this program has both them and arguments that can be completed. */
function wordsAfter({ subcommands, argument }: CompletedCommand): Values {
  if (subcommands.length > 0) return { kind: 'words', words: subcommands.map(({ name }) => name) };
  return argument ?? { kind: 'any' };
}

/** `* --format` for a flag of every command, ` import --map` for one of a command. */
function flagPatterns({ commands, flags }: CommandTree): { pattern: string; values: Values | undefined }[] {
  const all = [...commands.map(({ path, flags: own }) => ({ path, own })), { path: '*', own: flags }];
  return all.flatMap(({ path, own }) =>
    own.flatMap(({ names, values }) => names.map((name) => ({ pattern: `${path} ${name}`, values }))),
  );
}

function flagsWithValues(tree: CommandTree): string[] {
  return flagPatterns(tree).flatMap(({ pattern, values }) => (values === undefined ? [] : [pattern]));
}

function commandPaths({ commands }: CommandTree): string[] {
  return commands.map(({ path }) => path).filter((path) => path !== '');
}

function valueCases(tree: CommandTree, offer: (values: Values) => string, indent: number): string {
  return flagPatterns(tree)
    .flatMap(({ pattern, values }) => {
      return values === undefined ? [] : [`${' '.repeat(indent)}${patterns([pattern])}) ${offer(values)} ;;`];
    })
    .join('\n');
}

/** Alternatives of a \`case\`: the text is quoted, a star at its beginning is not. */
function patterns(all: readonly string[]): string {
  return all.map((text) => (text.startsWith('*') ? `*${quote(text.slice(1))}` : quote(text))).join(' | ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
