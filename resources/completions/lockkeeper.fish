# fish completion for lockkeeper and lockkeeper-console
# SPDX-License-Identifier: GPL-3.0-or-later

# The words before each place|what may come there|the values of an option|what it does
set -g __lockkeeper_table (string split \n -- @TABLE@)
set -g __lockkeeper_places (string replace -r '\|.*' '' -- $__lockkeeper_table | uniq)

# Whether this is the place: the first one that fits, which has the most words.
function __lockkeeper_at
    set -l before # the words that are neither options nor their values
    set -l skip
    for word in (commandline -opc)[2..]
        if set -q skip[1]
            set skip
        else if contains -- $word @VALUED@
            set skip yes
        else if not string match -q -- '-*' $word
            set -a before $word
        end
    end
    for place in $__lockkeeper_places
        if test -z "$place"; or string match -q -- "$place *" "$before "
            test "$place" = "$argv[1]"
            return
        end
    end
end

for program in lockkeeper lockkeeper-console
    complete -c $program -f
    for line in $__lockkeeper_table
        string split -m 3 '|' -- $line | read -lL place word values about
        if test $program = lockkeeper-console
            string match -qr '^(screenshots.*)?$' -- $place; or continue
            test -n "$place"; or string match -qr '^(-.*|screenshots)$' -- $word; or continue
        end
        set -l what
        switch $word
            case '--*'
                set what -l (string sub -s 3 -- $word)
                test $word = --help; and set -a what -s h
                switch "$values"
                    case ''
                    case FILE
                        set -a what -rF
                    case DIR
                        set -a what -xa '(__fish_complete_directories)'
                    case '*'
                        set -a what -x
                        string match -qr '^[a-z0-9]' -- $values
                        and set -a what -a (string replace -a , ' ' -- $values)
                end
            case FILE
                set what -F
            case FOLDER
                set what -a '(__fish_complete_directories)'
            case '*'
                string match -qr '^[a-z]' -- $word; or continue
                set what -a $word
        end
        complete -c $program -n "__lockkeeper_at '$place'" $what -d "$about"
    end
end
