# bash completion for lockkeeper and lockkeeper-console
# SPDX-License-Identifier: GPL-3.0-or-later

# _lockkeeper_verbs KIND: what act can do with it
_lockkeeper_verbs()
{
    case $1 in
    limiter) echo check free clear cap repair rate open ;;
    lock) echo release ttl clear takeover ;;
    queue) echo retry requeue dead-letter promote discard discard-old pause resume push rotate auto-requeue ;;
    token) echo issue validate extend consume revoke cleanup ;;
    key) echo ttl delete ;;
    esac
}

# _lockkeeper_act_options KIND VERB: the options of one action
_lockkeeper_act_options()
{
    case "$1 $2" in
    'limiter free')
        echo --permits --client ;;
    'limiter clear')
        echo --consumer ;;
    'limiter cap')
        echo --horizon ;;
    'limiter repair')
        echo --client --ttl ;;
    'limiter rate')
        echo --limit --interval ;;
    'lock release')
        echo --owner --owner-file --permits ;;
    'lock ttl')
        echo --ttl --owner --owner-file ;;
    'lock takeover' | 'token extend')
        echo --ttl ;;
    'queue retry')
        echo --job --all --error --name --rate --state --index --older-than --from --most --to ;;
    'queue requeue')
        echo --job --all --index --older-than --from --most --to ;;
    'queue promote')
        echo --job --all --state --index --older-than --from --most --to ;;
    'queue discard-old')
        echo --older-than --most --state ;;
    'queue dead-letter')
        echo --job --index --older-than --all --from --most --state --to ;;
    'queue discard')
        echo --job --index --older-than --all --from --most --state ;;
    'queue push')
        echo --name --payload --payload-file --to ;;
    'queue auto-requeue')
        echo --for --older-than ;;
    'token issue')
        echo --prefix --ttl --payload --payload-file --hash --length --alphabet ;;
    'key ttl')
        echo --ttl --none --key ;;
    'key delete')
        echo --key ;;
    esac
    echo --dry-run --yes --reason --undo-key --environment --pace --config --layouts --help
    [[ "$1 $2" == 'queue auto-requeue' ]] || echo --json
}

# _lockkeeper_options PROGRAM COMMAND KIND VERB
_lockkeeper_options()
{
    case $2 in
    snapshot) echo --format --sample --max-memory --pace --at --store --config --layouts --timeout --reveal --help ;;
    check) echo --format --fail-on --allow-partial --connection --pace --config --layouts --timeout --reveal --help ;;
    jobs) echo --state --grep --limit --format --config --layouts --timeout --pace --reveal --help ;;
    act) _lockkeeper_act_options "$3" "$4" ;;
    record) echo --store --for --listen --listen-password-file --test-notify --pace --config --layouts --help ;;
    history) echo --store --from --to --deployment --format --help ;;
    layouts) echo --check --try --format --layouts --timeout --help ;;
    acl) echo --act --sentinel --format --timeout --help ;;
    redlock) echo --owner --dry-run --yes --reason --environment --undo-key --format --config --timeout --help ;;
    screenshots) echo --demo --cluster --config --layouts --environment --theme --print-snapshot --help ;;
    help) ;;
    *) echo --demo --cluster --config --layouts --store --environment --team-file --theme --version --help ;;
    esac
}

# _lockkeeper_values OPTION COMMAND VERB: what an option can be; nothing where anything can
_lockkeeper_values()
{
    case $1 in
    --format) case $2 in check) echo text json prometheus ;; history) echo text json csv ;; *) echo text json ;; esac ;;
    --fail-on) echo info warning error ;;
    --pace) echo polite normal fast ;;
    --theme) if [[ $2 == screenshots ]]; then echo light dark; else echo system light dark; fi ;;
    --timeout) echo 20s 60s 5m ;;
    --to) if [[ $2 == history ]]; then return; fi; echo next back ;;
    --state) if [[ $2 == jobs ]]; then echo ready processing delayed dead done paused; return; fi
        case $3 in
        retry) echo retries dead interrupted ;;
        promote) echo scheduled retry delayed in-flight ;;
        remove) echo failed wait delayed paused completed prioritized waiting succeeded visible in-flight \
            inactive complete queued scheduled finished canceled dead retries enqueued interrupted pending unacked eta archived retry ;;
        *) echo processing ready delayed; if [[ $3 == drop ]]; then echo dead; fi ;;
        esac ;;
    esac
}

_lockkeeper()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
    if declare -F _get_comp_words_by_ref >/dev/null; then # an address is one word to it
        _get_comp_words_by_ref -n : cur prev words cword
    fi

    # What is no option and no option's value: the command, the address, and so on.
    local places=() i
    for ((i = 1; i < cword; i++)); do
        case ${words[i]} in
        --config | --try | --layouts | --team-file | --format | --fail-on | --theme | --timeout | --environment | --reason | --undo-key | --state | --to | \
        --alphabet | --client | --consumer | --error | --for | --from | --grep | --horizon | --interval | \
        --index | --job | --key | --length | --limit | --max-memory | --most | --name | --older-than | --owner | \
        --owner-file | --pace | --payload | --payload-file | --permits | --prefix | --sample | --ttl | --at | --store | --deployment | --listen-password-file)
            ((++i)) ;;
        -*) ;;
        *) places+=("${words[i]}") ;;
        esac
    done
    local command=${places[0]-}

    case $prev in
    --config | --try | --team-file | --payload-file | --owner-file | --store | --undo-key | --listen-password-file)
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        compopt -o filenames
        return ;;
    --layouts)
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        compopt -o filenames
        return ;;
    --environment | --reason | --grep | --limit | --for | --index | --job | --error | --name | --older-than | --from | --most | --at | --deployment)
        return ;;
    esac
    local choices
    choices=$(_lockkeeper_values "$prev" "$command" "${places[3]-}")
    if [[ -z $choices ]]; then
        if [[ $cur == -* ]]; then
            choices=$(_lockkeeper_options "$1" "$command" "${places[2]-}" "${places[3]-}")
        elif ((${#places[@]} == 0)); then
            if [[ ${1##*/} == lockkeeper-console ]]; then
                choices='screenshots'
            else
                choices='snapshot check jobs record history act layouts acl redlock screenshots help'
            fi
        elif [[ $command == help ]]; then
            choices='snapshot check jobs record history act layouts acl redlock screenshots'
        elif [[ $command == act && ${#places[@]} == 2 ]]; then
            choices='limiter lock queue token key undo journal'
        elif [[ $command == act && ${#places[@]} == 3 ]]; then
            choices=$(_lockkeeper_verbs "${places[2]}")
        elif [[ $command == redlock && ${#places[@]} == 1 ]]; then
            choices='release undo'
        elif [[ $command == layouts ]]; then
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            compopt -o filenames
            return
        elif [[ $command == screenshots ]]; then
            mapfile -t COMPREPLY < <(compgen -d -- "$cur")
            compopt -o filenames
            return
        fi
    fi
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$cur")
}

complete -F _lockkeeper lockkeeper lockkeeper-console
