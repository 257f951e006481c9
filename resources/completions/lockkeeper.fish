# fish completion for lockkeeper and lockkeeper-console
# SPDX-License-Identifier: GPL-3.0-or-later

# What is no option: the command, the address, and so on.
function __lockkeeper_places
    set -l skip
    for word in (commandline -opc)[2..]
        if test -n "$skip"
            set skip
            continue
        end
        switch $word
            case --config --try --layouts --team-file --format --fail-on --theme --timeout --environment --reason --undo-key --state --to \
                --alphabet --client --consumer --error --for --from --grep --horizon --interval --index --job \
                --key --length --limit --max-memory --most --name --older-than --owner --owner-file --pace --payload \
                --payload-file --permits --prefix --sample --ttl --at --store --deployment --listen-password-file
                set skip yes
            case '-*'
            case '*'
                echo -- $word
        end
    end
end

# __lockkeeper_at N [COMMAND [KIND [VERB]]]: N words are there, and these among them; -1: any number
function __lockkeeper_at
    set -l places (__lockkeeper_places)
    test $argv[1] = -1; or test (count $places) = $argv[1]; or return 1
    set -q argv[2]; and test "$places[1]" != $argv[2]; and return 1
    set -q argv[3]; and test "$places[3]" != $argv[3]; and return 1
    set -q argv[4]; and test "$places[4]" != $argv[4]; and return 1
    return 0
end

# Neither a command of the command line nor screenshots.
function __lockkeeper_window
    set -l places (__lockkeeper_places)
    not contains -- "$places[1]" snapshot check jobs record history act layouts acl redlock screenshots help
end

for program in lockkeeper lockkeeper-console
    complete -c $program -f
    complete -c $program -n '__lockkeeper_at 0' -a screenshots -d 'Save every board as a PNG file'
    complete -c $program -n '__lockkeeper_at 2 screenshots' -a '(__fish_complete_directories)'
    complete -c $program -s h -l help -d 'Print the options'
    complete -c $program -n __lockkeeper_window -l version -d 'Print the version'
    complete -c $program -n __lockkeeper_window -l demo -d 'Open a private server with live traffic'
    complete -c $program -n __lockkeeper_window -l cluster -d 'With --demo: a cluster of three masters'
    complete -c $program -n '__lockkeeper_at -1 screenshots' -l cluster -d 'With --demo: of a cluster'
    complete -c $program -n '__lockkeeper_at -1 screenshots' -l demo -d 'Take them of a private server'
    complete -c $program -n '__lockkeeper_at -1 screenshots' -l print-snapshot -d 'Print the text snapshot, too'
    complete -c $program -n '__lockkeeper_at -1 screenshots' -l theme -xa 'light dark' -d 'In this theme only'
    complete -c $program -n __lockkeeper_window -l theme -xa 'system light dark' -d 'Use this theme'
    complete -c $program -n 'not __lockkeeper_at -1 help' -l config -rF -d 'What Redis does not store'
    complete -c $program -n 'not __lockkeeper_at -1 help' -l layouts -xa '(__fish_complete_directories)' -d 'Add the layout files of this folder'
    for command in screenshots act
        complete -c $program -n "__lockkeeper_at -1 $command" -l environment -x -d 'What the server is for'
    end
    complete -c $program -n __lockkeeper_window -l store -rF -d 'Show and continue this recording'
    complete -c $program -n __lockkeeper_window -l team-file -rF -d 'List the servers of this file'
    complete -c $program -n __lockkeeper_window -l environment -x -d 'Show this label on the window'
end

complete -c lockkeeper -n '__lockkeeper_at 0' -a snapshot -d 'Print all that is detected, once'
complete -c lockkeeper -n '__lockkeeper_at 0' -a check -d 'Print the findings of a server'
complete -c lockkeeper -n '__lockkeeper_at 0' -a jobs -d 'Print the jobs of a queue'
complete -c lockkeeper -n '__lockkeeper_at 0' -a record -d 'Record what happens, until stopped'
complete -c lockkeeper -n '__lockkeeper_at 0' -a history -d 'Print the recorded history of one lock, limiter, queue or token'
for command in snapshot record history
    complete -c lockkeeper -n "__lockkeeper_at -1 $command" -l store -rF -d 'Use this recording'
end
complete -c lockkeeper -n '__lockkeeper_at -1 snapshot' -l at -x -d 'Print it as it was then'
complete -c lockkeeper -n '__lockkeeper_at -1 record' -l listen -xa '127.0.0.1:9877' -d 'Serve /metrics for Prometheus'
complete -c lockkeeper -n '__lockkeeper_at -1 record' -l listen-password-file -r -F -d 'Answer only with the password in this file'
complete -c lockkeeper -n '__lockkeeper_at -1 record' -l test-notify -x -d 'Send one test notification'
complete -c lockkeeper -n '__lockkeeper_at -1 record' -l for -xa '10m 1h 24h' -d 'Stop after this long'
complete -c lockkeeper -n '__lockkeeper_at -1 history' -l from -x -d 'Begin at this time'
complete -c lockkeeper -n '__lockkeeper_at -1 history' -l to -x -d 'End at this time'
complete -c lockkeeper -n '__lockkeeper_at -1 history' -l deployment -x -d 'Search only this deployment'
complete -c lockkeeper -n '__lockkeeper_at -1 history' -l format -xa 'text json csv' -d 'Print text, JSON or CSV'
complete -c lockkeeper -n '__lockkeeper_at 0' -a act -d 'Run one action'
complete -c lockkeeper -n '__lockkeeper_at 0' -a layouts -d 'Print the layouts that Lockkeeper can detect'
complete -c lockkeeper -n '__lockkeeper_at -1 layouts' -l check -rF -d 'Check these files'
complete -c lockkeeper -n '__lockkeeper_at -1 layouts' -l try -rF -d 'Print what this file finds on a server'
complete -c lockkeeper -n '__lockkeeper_at -1 layouts' -l timeout -xa '20s 60s 5m' -d 'Give up after this long without progress'
complete -c lockkeeper -n '__lockkeeper_at -1 layouts' -l format -xa 'text json' -d 'Print text or JSON'
complete -c lockkeeper -n '__lockkeeper_at 0' -a acl -d 'Print the permissions that it needs, or lacks'
complete -c lockkeeper -n '__lockkeeper_at -1 acl' -l act -d 'Include what actions need'
complete -c lockkeeper -n '__lockkeeper_at -1 acl' -l sentinel -d 'Print the line for Sentinels, which have users of their own'
complete -c lockkeeper -n '__lockkeeper_at -1 acl' -l format -xa 'text json' -d 'Print text or JSON'
complete -c lockkeeper -n '__lockkeeper_at -1 acl' -l timeout -xa '20s 60s 5m' -d 'Give up after this long without progress'
complete -c lockkeeper -n '__lockkeeper_at 0' -a redlock -d 'Print locks held by a quorum of servers'
complete -c lockkeeper -n '__lockkeeper_at 1 redlock' -a release -d 'Release a lock on all of its servers'
complete -c lockkeeper -n '__lockkeeper_at 1 redlock' -a undo -d 'Take that back'
complete -c lockkeeper -n '__lockkeeper_at -1 redlock' -l owner -x -d 'Release it where this is its owner'
complete -c lockkeeper -n '__lockkeeper_at -1 redlock' -l dry-run -d 'Print the plan and change nothing'
complete -c lockkeeper -n '__lockkeeper_at -1 redlock' -l yes -d 'Skip the confirmation'
complete -c lockkeeper -n '__lockkeeper_at -1 redlock' -l reason -x -d 'Record this in the journal'
complete -c lockkeeper -n '__lockkeeper_at -1 redlock' -l undo-key -r -F -d 'Encrypt what undo needs with the key in this file'
complete -c lockkeeper -n '__lockkeeper_at -1 redlock' -l environment -x -d 'What the servers are for'
complete -c lockkeeper -n '__lockkeeper_at -1 redlock' -l format -xa 'text json' -d 'Print text or JSON'
complete -c lockkeeper -n '__lockkeeper_at -1 redlock' -l timeout -xa '20s 60s 5m' -d 'Give up after this long without progress'
complete -c lockkeeper -n '__lockkeeper_at 0' -a help -d 'Print the options of a command'
complete -c lockkeeper -n '__lockkeeper_at 1 help' -a 'snapshot check jobs record history act layouts acl redlock screenshots'

complete -c lockkeeper -n '__lockkeeper_at -1 snapshot' -l format -xa 'text json' -d 'Print text or JSON'
complete -c lockkeeper -n '__lockkeeper_at -1 check' -l format -xa 'text json prometheus' -d 'Print text, JSON or counts'
complete -c lockkeeper -n '__lockkeeper_at -1 snapshot' -l sample -x -d 'Read about this many keys'
complete -c lockkeeper -n '__lockkeeper_at -1 snapshot' -l max-memory -x -d 'Read no further beyond MB'
complete -c lockkeeper -n '__lockkeeper_at -1 snapshot' -l pace -xa 'polite normal fast' -d 'Take no more of the server'
complete -c lockkeeper -n '__lockkeeper_at -1 check' -l pace -xa 'polite normal fast' -d 'Take no more of the server'
complete -c lockkeeper -n '__lockkeeper_at -1 jobs' -l pace -xa 'polite normal fast' -d 'Take no more of the server'
complete -c lockkeeper -n '__lockkeeper_at -1 record' -l pace -xa 'polite normal fast' -d 'Take no more of the server'
complete -c lockkeeper -n '__lockkeeper_at -1 act' -l pace -xa 'polite normal fast' -d 'Take no more of the server'
complete -c lockkeeper -n '__lockkeeper_at -1 check' -l fail-on -xa 'info warning error' -d 'Exit with 1 from there on'
complete -c lockkeeper -n '__lockkeeper_at -1 check' -l allow-partial -d 'Accept that not all may be read'
complete -c lockkeeper -n '__lockkeeper_at -1 check' -l connection -d 'Test the connection alone'
complete -c lockkeeper -n '__lockkeeper_at -1 jobs' -l state -xa 'ready processing delayed dead done paused' -d 'Print only jobs of this state'
complete -c lockkeeper -n '__lockkeeper_at -1 jobs' -l grep -x -d 'Print jobs with this text'
complete -c lockkeeper -n '__lockkeeper_at -1 jobs' -l limit -x -d 'Print at most this many jobs of each state'
complete -c lockkeeper -n '__lockkeeper_at -1 jobs' -l format -xa 'text json' -d 'Print text or JSON'
complete -c lockkeeper -n '__lockkeeper_at -1 jobs' -l timeout -x -d 'Give up after this long'
complete -c lockkeeper -n '__lockkeeper_at -1 jobs' -l reveal -d 'Print payloads'
for command in snapshot check
    complete -c lockkeeper -n "__lockkeeper_at -1 $command" -l timeout -x -d 'Give up after this long'
    complete -c lockkeeper -n "__lockkeeper_at -1 $command" -l reveal -d 'Print token codes in full'
end

set -l act "__lockkeeper_at -1 act"
complete -c lockkeeper -n $act -l dry-run -d 'Print the plan and change nothing'
complete -c lockkeeper -n $act -l yes -d 'Skip the confirmation'
complete -c lockkeeper -n $act -l reason -x -d 'Record this in the journal'
complete -c lockkeeper -n $act -l undo-key -r -F -d 'Encrypt what undo needs with the key in this file'
complete -c lockkeeper -n "$act; and not __lockkeeper_at -1 act queue auto-requeue" -l json -d 'Print the receipt, or the journal, as JSON'
complete -c lockkeeper -n '__lockkeeper_at 2 act' -a 'limiter lock queue token key'
complete -c lockkeeper -n '__lockkeeper_at 2 act' -a undo -d 'Undo an action or a group'
complete -c lockkeeper -n '__lockkeeper_at 2 act' -a journal -d 'Print what was run on that server'

complete -c lockkeeper -n '__lockkeeper_at 3 act limiter' -a check -d 'Check whether the next request would pass, without making it'
complete -c lockkeeper -n '__lockkeeper_at 3 act limiter' -a free -d 'Let this many more requests pass'
complete -c lockkeeper -n '__lockkeeper_at -1 act limiter free' -l permits -x -d 'How many more requests may pass'
complete -c lockkeeper -n '__lockkeeper_at -1 act limiter free' -l client -x -d 'Which client, if each has permits of its own'
complete -c lockkeeper -n '__lockkeeper_at 3 act limiter' -a clear -d 'Reset a limiter\'s count and its reservations'
complete -c lockkeeper -n '__lockkeeper_at -1 act limiter clear' -l consumer -x -d 'Only this consumer or client'
complete -c lockkeeper -n '__lockkeeper_at 3 act limiter' -a cap -d 'Remove reservations too far in the future; default: all of them'
complete -c lockkeeper -n '__lockkeeper_at -1 act limiter cap' -l horizon -x -d 'The furthest a reservation may be in the future, such as 5s; default: remove all'
complete -c lockkeeper -n '__lockkeeper_at 3 act limiter' -a repair -d 'Recalculate the available permits from those in use'
complete -c lockkeeper -n '__lockkeeper_at -1 act limiter repair' -l client -x -d 'Which client, if each has permits of its own'
complete -c lockkeeper -n '__lockkeeper_at -1 act limiter repair' -l ttl -x -d 'From now; default: the declared window'
complete -c lockkeeper -n '__lockkeeper_at 3 act limiter' -a rate -d 'Set rate and interval, as the library\'s setRate does'
complete -c lockkeeper -n '__lockkeeper_at -1 act limiter rate' -l limit -x -d 'Permits per interval'
complete -c lockkeeper -n '__lockkeeper_at -1 act limiter rate' -l interval -x -d 'Such as 1m; default: unchanged'
complete -c lockkeeper -n '__lockkeeper_at 3 act limiter' -a open -d 'Let the next call through'

complete -c lockkeeper -n '__lockkeeper_at 3 act lock' -a release -d 'Release a lock if its owner is unchanged'
complete -c lockkeeper -n '__lockkeeper_at -1 act lock release' -l owner -x -d 'The value the lock must still have ("-": read it from standard input)'
complete -c lockkeeper -n '__lockkeeper_at -1 act lock release' -l owner-file -rF -d 'Read it from this file: other users can see command-line arguments'
complete -c lockkeeper -n '__lockkeeper_at -1 act lock release' -l permits -x -d 'How many become available again'
complete -c lockkeeper -n '__lockkeeper_at 3 act lock' -a ttl -d 'Set the TTL of a lock'
complete -c lockkeeper -n '__lockkeeper_at -1 act lock ttl' -l ttl -x -d 'From now, such as 30s'
complete -c lockkeeper -n '__lockkeeper_at -1 act lock ttl' -l owner -x -d 'The value the lock must still have ("-": read it from standard input)'
complete -c lockkeeper -n '__lockkeeper_at -1 act lock ttl' -l owner-file -rF -d 'Read it from this file: other users can see command-line arguments'
complete -c lockkeeper -n '__lockkeeper_at 3 act lock' -a clear -d 'Delete an expired timestamp lock'
complete -c lockkeeper -n '__lockkeeper_at 3 act lock' -a takeover -d 'Take over an expired timestamp lock'
complete -c lockkeeper -n '__lockkeeper_at -1 act lock takeover' -l ttl -x -d 'From now, such as 30s'

complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a retry -d 'Retry failed jobs'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l job -x -d 'Job IDs, separated by commas'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l all -d 'All jobs of the state, up to 100 at a time'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l error -x -d 'Only jobs that failed with just this error'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l name -x -d 'Only jobs of this name'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l rate -x -d 'Retry this many jobs per second, up to 500 jobs in all; default: all at once'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l state -xa 'retries dead interrupted' -d 'The state that the jobs are in; default: retries'
complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a requeue -d 'Return jobs whose worker is gone to the queue'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue requeue' -l job -x -d 'Job IDs, separated by commas'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue requeue' -l all -d 'All jobs of the state, up to 100 at a time'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue requeue' -l index -x -d 'The Nth job as snapshot lists them, 1 for the oldest'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue requeue' -l older-than -x -d 'Only jobs in progress for longer than this'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue requeue' -l from -x -d 'Which list, if the queue has several'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue requeue' -l most -x -d 'At most this many jobs, oldest first'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue requeue' -l to -xa 'next back' -d 'next: processed first; back: processed last; default: next'
complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a dead-letter -d 'Move jobs to the list of dead letters'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue dead-letter' -l job -x -d 'Job IDs, separated by commas'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue dead-letter' -l index -x -d 'The Nth job as snapshot lists them, 1 for the oldest'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue dead-letter' -l older-than -x -d 'Only jobs in progress for longer than this'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue dead-letter' -l all -d 'Every job that is there now'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue dead-letter' -l from -x -d 'Which list, if the queue has several'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue dead-letter' -l most -x -d 'At most this many jobs, oldest first'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue dead-letter' -l state -xa 'processing ready delayed retries scheduled pending retry' -d 'ready: waiting; processing: in progress; delayed; dead; default: processing'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue dead-letter' -l to -xa 'next back' -d 'next: processed first; back: processed last; default: back'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l index -x -d 'The Nth job as snapshot lists them, 1 for the oldest'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l older-than -x -d 'Only jobs in progress for longer than this'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l from -x -d 'Which list, if the queue has several'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l most -x -d 'At most this many jobs, oldest first'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue retry' -l to -xa 'next back' -d 'next: processed first; back: processed last; default: back'
complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a promote -d 'Make delayed jobs available to workers now'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue promote' -l job -x -d 'Job IDs, separated by commas'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue promote' -l all -d 'All jobs of the state, up to 100 at a time'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue promote' -l state -xa 'scheduled retry delayed in-flight' -d 'The state that the jobs are in'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue promote' -l index -x -d 'The Nth job as snapshot lists them, 1 for the oldest'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue promote' -l older-than -x -d 'Only jobs in progress for longer than this'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue promote' -l from -x -d 'Which list, if the queue has several'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue promote' -l most -x -d 'At most this many jobs, oldest first'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue promote' -l to -xa 'next back' -d 'next: processed first; back: processed last; default: next'
complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a discard -d 'Discard jobs with everything stored about them'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue discard' -l job -x -d 'Job IDs, separated by commas'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue discard' -l all -d 'All jobs of the state, up to 100 at a time'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue discard' -l state -xa 'failed wait delayed paused completed prioritized waiting succeeded visible in-flight inactive complete queued scheduled finished canceled dead retries enqueued interrupted pending unacked eta archived retry' -d 'The state that the jobs are in'
complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a discard-old -d 'Discard old finished or failed jobs, oldest first'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue discard-old' -l older-than -x -d 'Only jobs that ended longer ago than this: 12h, 7d'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue discard-old' -l most -x -d 'At most this many jobs, up to 500; the rest is counted; default: 100'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue discard-old' -l state -xa 'completed failed finished canceled' -d 'The state of the jobs'
complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a pause -d 'Let workers take no further job'
complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a resume -d 'Let workers take jobs again'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue discard' -l index -x -d 'The Nth job as snapshot lists them, 1 for the oldest'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue discard' -l older-than -x -d 'Only jobs in progress for longer than this'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue discard' -l from -x -d 'Which list, if the queue has several'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue discard' -l most -x -d 'At most this many jobs, oldest first'
complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a push -d 'Add a job to the queue'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue push' -l name -x -d 'The job\'s class, function or type, as workers know it'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue push' -l payload -x -d 'The job, exactly as workers expect it ("-": read it from standard input)'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue push' -l payload-file -rF -d 'Read it from this file: other users can see command-line arguments'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue push' -l to -xa 'next back' -d 'next: processed first; back: processed last; default: back'
complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a rotate -d 'Move the member that is due to the back'
complete -c lockkeeper -n '__lockkeeper_at 3 act queue' -a auto-requeue -d 'Requeue stuck jobs every few seconds until stopped'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue auto-requeue' -l for -x -d 'Stop after this long. Default: 10m'
complete -c lockkeeper -n '__lockkeeper_at -1 act queue auto-requeue' -l older-than -x -d 'Requeue jobs that have been in progress for longer. Default: stuck_after of the configuration file, else 30s'

complete -c lockkeeper -n '__lockkeeper_at 3 act token' -a issue -d 'Issue a new one-time token'
complete -c lockkeeper -n '__lockkeeper_at -1 act token issue' -l prefix -x -d 'Prefix of the key\'s name, such as code:'
complete -c lockkeeper -n '__lockkeeper_at -1 act token issue' -l ttl -x -d 'How long it is valid, such as 1h'
complete -c lockkeeper -n '__lockkeeper_at -1 act token issue' -l payload -x -d 'The value its redeemer gets; default: 1 ("-": read it from standard input)'
complete -c lockkeeper -n '__lockkeeper_at -1 act token issue' -l payload-file -rF -d 'Read it from this file: other users can see command-line arguments'
complete -c lockkeeper -n '__lockkeeper_at -1 act token issue' -l hash -d 'Store a hash with used_by instead of a string'
complete -c lockkeeper -n '__lockkeeper_at -1 act token issue' -l length -x -d 'Number of characters in the code; default: 24'
complete -c lockkeeper -n '__lockkeeper_at -1 act token issue' -l alphabet -x -d 'Characters to make the code of; default: 23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
complete -c lockkeeper -n '__lockkeeper_at 3 act token' -a validate -d 'Check whether a token is valid, without using it'
complete -c lockkeeper -n '__lockkeeper_at 3 act token' -a extend -d 'Set the remaining lifetime of a token'
complete -c lockkeeper -n '__lockkeeper_at -1 act token extend' -l ttl -x -d 'From now, such as 1h'
complete -c lockkeeper -n '__lockkeeper_at 3 act token' -a consume -d 'Use a token, as the application would'
complete -c lockkeeper -n '__lockkeeper_at 3 act token' -a revoke -d 'Delete a token if it is unchanged'
complete -c lockkeeper -n '__lockkeeper_at 3 act token' -a cleanup -d 'Delete the use count of a token that was never issued'

complete -c lockkeeper -n '__lockkeeper_at 3 act key' -a ttl -d 'Set or remove the TTL of a key'
complete -c lockkeeper -n '__lockkeeper_at -1 act key ttl' -l ttl -x -d 'From now, such as 10m'
complete -c lockkeeper -n '__lockkeeper_at -1 act key ttl' -l none -d 'Remove the TTL: the key stays until it is deleted'
complete -c lockkeeper -n '__lockkeeper_at -1 act key ttl' -l key -x -d 'Which of its keys; default: the main key'
complete -c lockkeeper -n '__lockkeeper_at 3 act key' -a delete -d 'Delete a key if it is unchanged'
complete -c lockkeeper -n '__lockkeeper_at -1 act key delete' -l key -x -d 'Which of its keys; default: the main key'
