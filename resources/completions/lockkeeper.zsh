#compdef lockkeeper lockkeeper-console
# zsh completion for lockkeeper and lockkeeper-console
# SPDX-License-Identifier: GPL-3.0-or-later

# The words before each place|what may come there|the values of an option|what it does
typeset -g _lockkeeper_table=@TABLE@

_lockkeeper() {
    local -a options candidates actions fields
    local before found=none line word values about action rest='*: :' i

    # The words that are neither options nor their values: the command, the address, and so on.
    for ((i = 2; i < CURRENT; i++)); do
        case $words[i] in
        -*) [[ ' @VALUED@ ' != *" $words[i] "* ]] || ((i++)) ;;
        *) before+="$words[i] " ;;
        esac
    done

    # The first place that fits counts: it has the most words.
    for line in ${(f)_lockkeeper_table}; do
        fields=("${(@s:|:)line}")
        if [[ $found == none && (-z $fields[1] || $before == ${~fields[1]}' '*) ]]; then
            found=$fields[1]
        fi
        if [[ $fields[1] != "$found" ]]; then
            [[ $found == none ]] || break
            continue
        fi
        word=$fields[2] values=${fields[3]//,/ } about=${fields[4]//:/\\:}
        case ${values:-$word} in
        FILE) action=_files ;;
        DIR | FOLDER) action='_files -/' ;;
        URL) action=_urls ;;
        [a-z0-9]*) action="(${values//:/\\:})" ;;
        *) action= ;;
        esac
        case $word in
        --help) options+=('(- *)'{-h,--help}"[$about]") ;;
        -*) options+=("${word}[${${about//\[/\\[}//\]/\\]}]${values:+:${word#--}:$action}") ;;
        [a-z]*)
            if [[ -n $before || $word == screenshots || $service != lockkeeper-console ]]; then
                candidates+=("$word${about:+:$about}")
            fi ;;
        *) actions+=($action) ;;
        esac
    done
    (($#candidates)) && actions=('_describe word candidates' $actions)
    (($#actions)) && rest+="{${(j:; :)actions}}"
    _arguments $options $rest
}

_lockkeeper "$@"
