#compdef lockkeeper lockkeeper-console
# zsh completion for lockkeeper and lockkeeper-console
# SPDX-License-Identifier: GPL-3.0-or-later

_lockkeeper() {
    local -a places options candidates
    local i rest

    # The words that are neither options nor their values: the command, the address, and so on.
    for ((i = 2; i < CURRENT; i++)); do
        case $words[i] in
        @VALUED@) ((i++)) ;;
        -*) ;;
        *) places+=("$words[i]") ;;
        esac
    done

    # The options there, and the words that may follow.
    case "$places " in
@PLACES@
    esac
    if [[ $service == lockkeeper-console ]] && ((!$#places)); then
        candidates=(${(M)candidates:#screenshots:*})
    fi
    _arguments $options $rest
}

_lockkeeper "$@"
