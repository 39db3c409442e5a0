# Usage: zsh -f drive-shell.zsh SHELL SCRIPT LINE...
# SHELL is bash, zsh, fish, or zsh-fpath, which loads the script by its name from a folder.
# Types each line into an interactive shell at a pseudo-terminal, presses Tab, and prints what the line is then.
zmodload zsh/zpty
shell=$1 script=$2
shift 2
out=$(mktemp)
case $shell in
  bash) zpty shell bash --norc --noprofile -i
    setup="source $script; bind 'set completion-query-items 0'; bind -x '\"\\C-g\": printf \"%s\\n\" \"\$READLINE_LINE\" >> $out; READLINE_LINE='" ;;
  zsh*) zpty shell zsh -f -i
    load='source <(merchant-orders completion zsh)'
    [[ $shell == zsh-fpath ]] && load="fpath+=(${script:h}); autoload -Uz compinit; compinit -u -D"
    setup="$load; dump() { print -r -- \"\$BUFFER\" >> $out; zle kill-buffer }; zle -N dump; bindkey '^G' dump" ;;
  fish) zpty shell fish --no-config -i
    setup="source $script; bind \\cg 'commandline >> $out; commandline \"\"'" ;;
esac
# The shell echoes what is typed, so that the word is not typed whole.
zpty -w shell "$setup; printf %s rea; echo dy"
while zpty -r shell line; do [[ $line == *ready[[:space:]]* && $line != *echo* ]] && break; done
typed=0
for words in "$@"; do
  ((typed += 1))
  zpty -w -n shell "$words"$'\t'$'\a'
  for ((i = 0; i < 600 && $(wc -l < $out) < typed; i++)); do sleep 0.05; done
done
# The shell writes its history as it ends, and the folder is removed after this program.
zpty -w shell exit
while zpty -r shell line; do :; done
cat $out
rm $out
