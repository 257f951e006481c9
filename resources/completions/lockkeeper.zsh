#compdef lockkeeper lockkeeper-console
# zsh completion for lockkeeper and lockkeeper-console
# SPDX-License-Identifier: GPL-3.0-or-later

_lockkeeper_kinds() {
    local -a kinds=(
        'limiter'
        'lock'
        'queue'
        'token'
        'key'
        'undo:undo an action or a group'
        'journal:print what was run on that server'
    )
    _describe kind kinds
}

_lockkeeper_verbs() {
    local -a verbs
    case $1 in
    limiter) verbs=(
        'check:check whether the next request would pass, without making it'
        'free:let this many more requests pass'
        'clear:reset a limiter'\''s count and its reservations'
        'cap:remove reservations too far in the future; default: all of them'
        'repair:recalculate the available permits from those in use'
        'rate:set rate and interval, as the library'\''s setRate does'
        'open:let the next call through'
    ) ;;
    lock) verbs=(
        'release:release a lock if its owner is unchanged'
        'ttl:set the TTL of a lock'
        'clear:delete an expired timestamp lock'
        'takeover:take over an expired timestamp lock'
    ) ;;
    queue) verbs=(
        'retry:retry failed jobs'
        'requeue:return jobs whose worker is gone to the queue'
        'dead-letter:move jobs to the list of dead letters'
        'promote:make delayed jobs available to workers now'
        'discard:discard jobs with everything stored about them'
        'pause:stop workers from taking jobs'
        'resume:let workers take jobs again'
        'push:add a job to the queue'
        'rotate:move the member that is due to the back'
        'auto-requeue:requeue stuck jobs every few seconds until stopped; only one console does so at a time'
    ) ;;
    token) verbs=(
        'issue:issue a new one-time token'
        'validate:check whether a token is valid, without using it'
        'extend:set the remaining lifetime of a token'
        'consume:use a token, as the application would'
        'revoke:delete a token if it is unchanged'
        'cleanup:delete the use count of a token that was never issued'
    ) ;;
    key) verbs=(
        'ttl:set or remove the TTL of a key'
        'delete:delete a key if it is unchanged'
    ) ;;
    esac
    _describe verb verbs
}

# _lockkeeper_act_options KIND VERB: the options of one action, in $options
_lockkeeper_act_options() {
    options=(
        '--dry-run[print the plan and change nothing]'
        '--yes[do not ask]'
        '--reason[record this in the journal]:text:'
        '--undo-key[encrypt what undo needs with the key in this file]:file:_files'
        '--pace[take no more of the server than this]:pace:(polite normal fast)'
        '--json[print the receipt, or the journal, as JSON]'
        '--environment[name what the server is for]:label:'
        '--config[read what Redis does not store from this file]:file:_files'
        '(- *)'{-h,--help}'[print the options]'
    )
    case "$1 $2" in
    'limiter free') options+=(
        '--permits[How many more requests may pass]:n:'
        '--client[Which client, if each has permits of its own]:text:'
    ) ;;
    'limiter clear') options+=(
        '--consumer[Only this consumer or client]:text:'
    ) ;;
    'limiter cap') options+=(
        '--horizon[The furthest a reservation may be in the future, such as 5s; default\: remove all]:duration:'
    ) ;;
    'limiter repair') options+=(
        '--client[Which client, if each has permits of its own]:text:'
        '--ttl[From now; default\: the declared window]:duration:'
    ) ;;
    'limiter rate') options+=(
        '--limit[Permits per interval]:n:'
        '--interval[Such as 1m; default\: unchanged]:duration:'
    ) ;;
    'lock release') options+=(
        '--owner[The value the lock must still have ("-"\: read it from standard input)]:text:'
        '--owner-file[Read it from this file\: other users can see command-line arguments]:file:_files'
        '--permits[How many become available again]:n:'
    ) ;;
    'lock ttl') options+=(
        '--ttl[From now, such as 30s]:duration:'
        '--owner[The value the lock must still have ("-"\: read it from standard input)]:text:'
        '--owner-file[Read it from this file\: other users can see command-line arguments]:file:_files'
    ) ;;
    'lock takeover') options+=(
        '--ttl[From now, such as 30s]:duration:'
    ) ;;
    'queue retry') options+=(
        '--job[Job IDs, separated by commas]:text:'
        '--all[All jobs of the state, up to 100 at a time]'
        '--error[Only jobs that failed with just this error]:text:'
        '--name[Only jobs of this name]:text:'
        '--rate[Retry this many jobs per second, up to 500 jobs in all; default\: all at once]:n:'
        '--state[The state that the jobs are in; default\: retries]:choice:(retries dead interrupted)'
        '--index[The Nth job as snapshot lists them, 1 for the oldest]:n:'
        '--older-than[Only jobs in progress for longer than this]:duration:'
        '--from[Which list, if the queue has several]:text:'
        '--most[At most this many jobs, oldest first]:n:'
        '--to[next\: processed first; back\: processed last; default\: back]:choice:(next back)'
    ) ;;
    'queue requeue') options+=(
        '--job[Job IDs, separated by commas]:text:'
        '--all[All jobs of the state, up to 100 at a time]'
        '--index[The Nth job as snapshot lists them, 1 for the oldest]:n:'
        '--older-than[Only jobs in progress for longer than this]:duration:'
        '--from[Which list, if the queue has several]:text:'
        '--most[At most this many jobs, oldest first]:n:'
        '--to[next\: processed first; back\: processed last; default\: next]:choice:(next back)'
    ) ;;
    'queue dead-letter') options+=(
        '--job[Job IDs, separated by commas]:text:'
        '--index[The Nth job as snapshot lists them, 1 for the oldest]:n:'
        '--older-than[Only jobs in progress for longer than this]:duration:'
        '--all[Every job that is there now]'
        '--from[Which list, if the queue has several]:text:'
        '--most[At most this many jobs, oldest first]:n:'
        '--state[ready\: waiting; processing\: in progress; delayed; dead; default\: processing]:choice:(processing ready delayed retries scheduled pending retry)'
        '--to[next\: processed first; back\: processed last; default\: back]:choice:(next back)'
    ) ;;
    'queue promote') options+=(
        '--job[Job IDs, separated by commas]:text:'
        '--all[All jobs of the state, up to 100 at a time]'
        '--state[The state that the jobs are in]:choice:(scheduled retry delayed in-flight)'
        '--index[The Nth job as snapshot lists them, 1 for the oldest]:n:'
        '--older-than[Only jobs in progress for longer than this]:duration:'
        '--from[Which list, if the queue has several]:text:'
        '--most[At most this many jobs, oldest first]:n:'
        '--to[next\: processed first; back\: processed last; default\: next]:choice:(next back)'
    ) ;;
    'queue discard') options+=(
        '--job[Job IDs, separated by commas]:text:'
        '--all[All jobs of the state, up to 100 at a time]'
        '--state[The state that the jobs are in]:choice:(failed wait delayed paused completed prioritized waiting succeeded visible in-flight inactive complete queued scheduled finished canceled dead retries enqueued interrupted pending unacked eta archived retry)'
        '--index[The Nth job as snapshot lists them, 1 for the oldest]:n:'
        '--older-than[Only jobs in progress for longer than this]:duration:'
        '--from[Which list, if the queue has several]:text:'
        '--most[At most this many jobs, oldest first]:n:'
    ) ;;
    'queue discard-old') options+=(
        '--older-than[Only jobs that ended longer ago than this\: 12h, 7d]:duration:'
        '--most[At most this many jobs, up to 500; the rest is counted; default\: 100]:n:'
        '--state[The state of the jobs]:choice:(completed failed finished canceled)'
    ) ;;
    'queue push') options+=(
        '--name[The job'\''s class, function or type, as workers know it]:text:'
        '--payload[The job, exactly as workers expect it ("-"\: read it from standard input)]:text:'
        '--payload-file[Read it from this file\: other users can see command-line arguments]:file:_files'
        '--to[next\: processed first; back\: processed last; default\: back]:choice:(next back)'
    ) ;;
    'queue auto-requeue') options+=(
        '--for[Stop after this long. Default\: 10m]:duration:'
        '--older-than[Requeue jobs that have been in progress for longer. Default\: stuck_after of the configuration file, else 30s]:duration:'
    ) ;;
    'token issue') options+=(
        '--prefix[Prefix of the key'\''s name, such as code\:]:text:'
        '--ttl[How long it is valid, such as 1h]:duration:'
        '--payload[The value its redeemer gets; default\: 1 ("-"\: read it from standard input)]:text:'
        '--payload-file[Read it from this file\: other users can see command-line arguments]:file:_files'
        '--hash[Store a hash with used_by instead of a string]'
        '--length[Number of characters in the code; default\: 24]:n:'
        '--alphabet[Characters to make the code of; default\: 23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ]:text:'
    ) ;;
    'token extend') options+=(
        '--ttl[From now, such as 1h]:duration:'
    ) ;;
    'key ttl') options+=(
        '--ttl[From now, such as 10m]:duration:'
        '--none[Remove the TTL\: the key stays until it is deleted]'
        '--key[Which of its keys; default\: the main key]:text:'
    ) ;;
    'key delete') options+=(
        '--key[Which of its keys; default\: the main key]:text:'
    ) ;;
    esac
}

_lockkeeper() {
    local -a options places commands
    local i
    # What is no option and no option's value: the command, the address, and so on.
    for ((i = 2; i < CURRENT; i++)); do
        case $words[i] in
        --config|--try|--layouts|--team-file|--format|--fail-on|--theme|--timeout|--environment|--reason|--undo-key|--state|--to|\
        --alphabet|--client|--consumer|--error|--for|--from|--grep|--horizon|--interval|\
        --index|--job|--key|--length|--limit|--max-memory|--most|--name|--older-than|--owner|\
        --owner-file|--pace|--payload|--payload-file|--permits|--prefix|--sample|--ttl|--at|--store|--deployment|--listen-password-file)
            ((i++)) ;;
        -*) ;;
        *) places+=("$words[i]") ;;
        esac
    done
    local config='--config[read what Redis does not store from this file]:file:_files'
    local layouts='--layouts[add the layout files of this folder]:folder:_files -/'
    local label='--environment[show this label on the window]:label:'
    local timeout='--timeout[give up after this long without progress]:duration:'
    local store='--store[use this recording]:file:_files'
    local pace='--pace[take no more of the server than this]:pace:(polite normal fast)'
    local reveal='--reveal[print token codes in full]'
    local -a help=('(- *)'{-h,--help}'[print the options]')
    case $places[1] in
    snapshot)
        options=('--format[print text or JSON]:format:(text json)'
            '--sample[read about this many keys and estimate the rest]:keys:'
            '--max-memory[stop reading once this much memory is used]:megabytes:' $pace
            '--at[print the state as of this time, from the recording]:time:' $store
            $config $layouts $timeout $reveal $help) ;;
    check)
        options=('--format[print text, JSON or counts]:format:(text json prometheus)'
            '--fail-on[exit with 1 from this severity on]:severity:(info warning error)'
            '--allow-partial[accept that not everything may be read]'
            '--connection[test the connection alone, stage by stage]' $pace
            $config $layouts $timeout $reveal $help) ;;
    jobs)
        options=('--state[print only jobs of this state]:state:(ready processing delayed dead done paused)'
            '--grep[print jobs with this text in their ID, name, worker, error or payload]:text:'
            '--limit[print at most this many jobs of each state]:n:'
            '--format[print text or JSON]:format:(text json)'
            $config $layouts $timeout $pace '--reveal[print payloads]' $help)
        case $#places in
        1) _arguments $options '*:URL:_urls' ;;
        *) _arguments $options '*:queue:' ;;
        esac
        return ;;
    act)
        _lockkeeper_act_options "$places[3]" "$places[4]"
        case $#places in
        1) _arguments $options '*:URL:_urls' ;;
        2) _arguments $options '*:kind:_lockkeeper_kinds' ;;
        3) _arguments $options "*:verb: _lockkeeper_verbs $places[3]" ;;
        *) _arguments $options '*:name:' ;;
        esac
        return ;;
    record)
        options=($store '--for[stop after this long]:duration:'
            '--listen[serve metrics for Prometheus]:address:'
            '--listen-password-file[answer only with the password in this file]:file:_files'
            '--test-notify[send one test notification]:target:' $pace $config $layouts $help) ;;
    history)
        options=($store '--from[begin there]:time:' '--to[end there]:time:'
            '--deployment[look in this deployment]:URL:_urls'
            '--format[print text, JSON or CSV]:format:(text json csv)' $help)
        _arguments $options '*:name:'
        return ;;
    screenshots)
        options=('--demo[take them of a private server with live traffic]'
            '--cluster[with --demo, take them of a cluster]' $config $layouts $label
            '--theme[take them in this theme only]:theme:(light dark)'
            '--print-snapshot[print the text snapshot as well]' $help)
        _arguments $options '*:folder:_files -/'
        return ;;
    layouts)
        options=('--check[check these files]' '--try[print what this file finds on a server]:file:_files'
            '--format[print text or JSON]:format:(text json)' $layouts $timeout $help)
        _arguments $options '*:file:_files'
        return ;;
    acl)
        options=('--act[include what actions need]' '--sentinel[print the line for Sentinels]'
            '--format[print text or JSON]:format:(text json)'
            $timeout $help) ;;
    redlock)
        options=("--owner[release it where this is its owner]:value:"
            '--dry-run[print the plan and change nothing]' '--yes[do not ask]'
            '--undo-key[encrypt what undo needs with the key in this file]:file:_files'
            '--reason[record this in the journal]:text:'
            '--environment[name what the servers are for]:label:'
            '--format[print text or JSON]:format:(text json)' $config $timeout $help)
        _arguments $options '1:verb:(release undo)' '2:name or group:'
        return ;;
    help)
        _arguments '*:command:(snapshot check jobs record history act layouts acl redlock screenshots)'
        return ;;
    *)
        options=('--demo[open a private server with live traffic]'
            '--cluster[with --demo, open a cluster of three masters]' $config $layouts $store $label
            '--team-file[list the servers of this file]:file:_files'
            '--theme[use this theme]:theme:(system light dark)'
            '(- *)--version[print the version]' $help) ;;
    esac
    if (($#places)); then
        _arguments $options '*:URL:_urls'
        return
    fi
    commands=('screenshots:save every board as a PNG file')
    if [[ $service != lockkeeper-console ]]; then
        commands+=('snapshot:print all that is detected, once'
            'check:print the findings of a server'
            'jobs:print the jobs of a queue'
            'record:record what happens, until stopped'
            'history:print the recorded history of one lock, limiter, queue or token'
            'act:run one action'
            'layouts:print the layouts that Lockkeeper can detect'
            'acl:print the permissions that it needs, or lacks'
            'help:print the options of a command')
    fi
    _arguments $options '*: :{_describe command commands; _urls}'
}

_lockkeeper "$@"
