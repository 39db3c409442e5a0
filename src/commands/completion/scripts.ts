/** Each passes the words up to the cursor, and shows what `printCandidates` prints. */
export const scripts = {
  bash: `# bash completion for merchant-orders
_merchant_orders() {
  local IFS=$'\\n' current=\${COMP_WORDS[COMP_CWORD]} line
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # Bash makes three words of --format=json.
  [[ $current == '=' ]] && current=''
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    if [[ $line == ':files' ]]; then
      COMPREPLY+=($(compgen -f -- "$current"))
      compopt -o filenames 2> /dev/null
    elif [[ $line == "$current"* ]]; then
      COMPREPLY+=("$line")
    fi
  done < <(merchant-orders completion bash "\${words[@]/#/--words=}" 2> /dev/null)
}
complete -F _merchant_orders merchant-orders`,

  zsh: `#compdef merchant-orders
_merchant-orders() {
  local line files=''
  local -a before items
  before=("\${(@)words[2,CURRENT-1]}")
  for line in "\${(@f)$(merchant-orders completion zsh "\${(@)before/#/--words=}" "--words=$PREFIX" 2> /dev/null)}"; do
    case $line in
      '') ;;
      :files) files=1 ;;
      *) items+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done
  [[ $PREFIX == --*=* ]] && compset -P 1 '*='
  (($#items)) && _describe 'value' items
  [[ -n $files ]] && _files
}
if [[ $funcstack[1] == _merchant-orders ]]; then
  _merchant-orders "$@"
else
  (($+functions[compdef])) || { autoload -Uz compinit && compinit }
  compdef _merchant-orders merchant-orders
fi`,

  fish: `# fish completion for merchant-orders
function __merchant_orders_candidates
  set -l before (commandline -opc)[2..]
  set -l current (commandline -ct)
  set -l flag (string match -r -- '^--[^=]*=' "$current")
  for line in (merchant-orders completion fish "--words="$before "--words=$current" 2> /dev/null)
    if test "$line" = ':files'
      __fish_complete_path (string replace -- "$flag" '' "$current") | string replace -r '^' -- "$flag"
    else
      echo "$flag$line"
    end
  end
end
complete -c merchant-orders -f -a '(__merchant_orders_candidates)'`,

  // Without a result PowerShell offers files. npm may start the program by a script of cmd, which would act on & and |.
  powershell: `# PowerShell completion for merchant-orders
Register-ArgumentCompleter -Native -CommandName merchant-orders -ScriptBlock {
  param($current, $line, $cursor)
  $before = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor })
  $words = @($before + $current | ForEach-Object { "--words=$_" -replace '[^\\w=./:\\\\-]', '_' })
  $flag = if ($current -match '^--[^=]+=') { $Matches[0] } else { '' }
  merchant-orders completion powershell @words 2> $null | ForEach-Object {
    $name, $description = $_ -split "\`t", 2
    if ($name -ne ':files' -and "$flag$name".StartsWith($current, 'Ordinal')) {
      $tip = if ($description) { $description } else { $name }
      [System.Management.Automation.CompletionResult]::new("$flag$name", $name, 'ParameterValue', $tip)
    }
  }
}`,
};
