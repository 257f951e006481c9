<?php
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the scenarios share: see ../python/scenario.py. A scenario uses a real library on the server
// whose unix socket LOCKKEEPER_CLIENT_SOCKET names, under the prefix that is its first argument, and tells in
// lines of JSON what the library itself counts: once everything is set up, and after each command.

declare(strict_types=1);

error_reporting(E_ALL & ~E_DEPRECATED & ~E_USER_DEPRECATED);
ini_set('display_errors', 'stderr');

const PATIENCE_S = 30;

function socket(): string
{
    return getenv('LOCKKEEPER_CLIENT_SOCKET') ?: exit('LOCKKEEPER_CLIENT_SOCKET names no socket');
}

function prefix(): string
{
    global $argv;
    return $argv[1] ?? '';
}

/** Whether this process is a worker of the scenario, and what it was told. */
function workerArguments(): ?array
{
    global $argv;
    return ($argv[2] ?? '') === 'worker' ? array_slice($argv, 3) : null;
}

function until(callable $condition, string $what): void
{
    $end = microtime(true) + PATIENCE_S;
    while (!$condition()) {
        if (microtime(true) > $end) {
            fwrite(STDERR, "timed out: $what\n");
            exit(1);
        }
        usleep(20000);
    }
}

/** Worker processes of the scenario; gone with it, even if it is killed. */
final class Workers
{
    private array $processes = [];

    public function start(string ...$arguments)
    {
        global $argv;
        $quiet = getenv('SCENARIO_LOUD') ? STDERR : ['file', '/dev/null', 'w'];
        $process = proc_open(
            ['setpriv', '--pdeathsig', 'KILL', PHP_BINARY, $argv[0], prefix(), 'worker', ...$arguments],
            [['file', '/dev/null', 'r'], $quiet, $quiet],
            $pipes
        );
        $this->processes[] = $process;
        return $process;
    }

    /** Starts one that ends by itself and waits for that. */
    public function finish(string ...$arguments): void
    {
        $process = $this->start(...$arguments);
        until(fn () => !proc_get_status($process)['running'], 'the worker does not end');
    }

    public function kill(): void
    {
        foreach ($this->processes as $process) {
            if (proc_get_status($process)['running']) {
                proc_terminate($process, 9);
            }
            proc_close($process);
        }
        $this->processes = [];
    }
}

function say(array $values): void
{
    fwrite(STDOUT, json_encode($values, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES) . "\n");
    fflush(STDOUT);
}

function serve(callable $count, array $commands): void
{
    say($count());
    while (($line = fgets(STDIN)) !== false) {
        $words = explode(' ', trim($line));
        $name = array_shift($words);
        $told = $name === 'count' ? null : $commands[$name](...$words);
        say($count() + (is_array($told) ? $told : []));
    }
}
