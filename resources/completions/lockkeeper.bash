# bash completion for lockkeeper and lockkeeper-console
# SPDX-License-Identifier: GPL-3.0-or-later

_lockkeeper()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
    if declare -F _get_comp_words_by_ref >/dev/null; then # an address is one word to it
        _get_comp_words_by_ref -n : cur prev words cword
    fi

    # The words that are neither options nor their values: the command, the address, and so on.
    local places=() i
    for ((i = 1; i < cword; i++)); do
        case ${words[i]} in
        @VALUED@) ((++i)) ;;
        -*) ;;
        *) places+=("${words[i]}") ;;
        esac
    done

    # The options there, each with its values, and the words that may follow.
    local options next
    case "${places[*]} " in
@PLACES@
    esac
    if [[ ${1##*/} == lockkeeper-console ]] && ((${#places[@]} == 0)); then
        next=screenshots
    fi

    local option word choices=()
    if [[ " $options" == *" $prev="* ]]; then
        option=" $options"
        option=${option#*" $prev="}
        next=${option%% *}
        next=${next//|/ }
    elif [[ $cur == -* ]]; then
        next=
        for option in $options; do
            choices+=("${option%%=*}")
        done
    fi
    COMPREPLY=()
    for word in $next; do
        case $word in
        FILE)
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            compopt -o filenames ;;
        DIR | FOLDER)
            mapfile -t COMPREPLY < <(compgen -d -- "$cur")
            compopt -o filenames ;;
        [[:lower:][:digit:]]*) choices+=("$word") ;;
        esac
    done
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "${choices[*]}" -- "$cur")
}

complete -F _lockkeeper lockkeeper lockkeeper-console
