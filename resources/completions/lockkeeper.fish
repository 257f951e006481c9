# fish completion for lockkeeper and lockkeeper-console
# SPDX-License-Identifier: GPL-3.0-or-later

# The words that are neither options nor their values, as far as they are known: "act * lock".
function __lockkeeper_place
    set -l places
    set -l skip
    for word in (commandline -opc)[2..]
        if test -n "$skip"
            set skip
            continue
        end
        switch $word
            case @VALUED@
                set skip yes
            case '-*'
            case '*'
                set -a places $word
        end
    end
    switch "$places "
@PLACES@
    end
end

function __lockkeeper_at
    test (__lockkeeper_place) = $argv[1]
end

complete -c lockkeeper -f
complete -c lockkeeper-console -f
@COMPLETIONS@
