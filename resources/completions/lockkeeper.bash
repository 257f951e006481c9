# bash completion for lockkeeper and lockkeeper-console
# SPDX-License-Identifier: GPL-3.0-or-later

# The words before each place|what may come there|the values of an option|what it does
_lockkeeper_table=@TABLE@

_lockkeeper()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
    if declare -F _get_comp_words_by_ref >/dev/null; then # an address is one word to it
        _get_comp_words_by_ref -n : cur prev words cword
    fi

    # The words that are neither options nor their values: the command, the address, and so on.
    local before='' i
    for ((i = 1; i < cword; i++)); do
        case ${words[i]} in
        -*) [[ ' @VALUED@ ' != *" ${words[i]} "* ]] || ((++i)) ;;
        *) before+="${words[i]} " ;;
        esac
    done

    # The first place that fits counts: it has the most words.
    local found=none place word values about options=() next=()
    while IFS='|' read -r place word values about; do
        if [[ $found == none && (-z $place || $before == $place' '*) ]]; then
            found=$place
        fi
        if [[ $place != "$found" ]]; then
            [[ $found == none ]] || break
        elif [[ -n $values && $word == "$prev" ]]; then
            options=() next=(${values//,/ })
            break
        elif [[ $word == -* ]]; then
            options+=("$word")
        elif [[ -n $before || $word == screenshots || ${1##*/} != lockkeeper-console ]]; then
            next+=("$word")
        fi
    done <<<"$_lockkeeper_table"

    if [[ $cur == -* && ${#options[@]} -gt 0 ]]; then
        next=("${options[@]}")
    fi
    COMPREPLY=()
    for word in "${next[@]}"; do
        case $word in
        FILE)
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            compopt -o filenames ;;
        DIR | FOLDER)
            mapfile -t COMPREPLY < <(compgen -d -- "$cur")
            compopt -o filenames ;;
        -* | [[:lower:][:digit:]]*)
            [[ $word != "$cur"* ]] || COMPREPLY+=("$word") ;;
        esac
    done
}

complete -F _lockkeeper lockkeeper lockkeeper-console
