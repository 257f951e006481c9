<?php
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Laravel: a queue with jobs that wait, are delayed, and are reserved by a worker in the middle of one.
//
// Commands: die (the worker is killed), age SECONDS (as if the jobs had been reserved so long before),
// work (another worker works until the queue is empty), due (the delayed ones), migrate WHAT (the reserved
// or delayed ones whose time has come, as each worker does it first), add (another job), count.

declare(strict_types=1);

require_once __DIR__ . '/laravel_app.php';

use Illuminate\Container\Container;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Queue\Connectors\RedisConnector;

const RETRY_AFTER_S = 90;

class GreetJob
{
    public function fire($job, array $data): void
    {
        $job->delete();
    }
}

class ProveJob
{
    public function prove($job, array $data): void
    {
        redisManager()->connection('default')->rpush('proof', json_encode($data));
        $job->delete();
    }
}

class LongJob
{
    public function fire($job, array $data): void
    {
        global $argv;
        // The worker that is to die takes its time; the one that comes after it does not.
        if (in_array('hang', $argv, true)) {
            sleep(600);
        }
        $job->delete();
    }
}

$name = prefix() === '' ? 'default' : 'high.mails';
$queue = (new RedisConnector(redisManager()))->connect(
    ['queue' => $name, 'connection' => 'default', 'retry_after' => RETRY_AFTER_S, 'block_for' => null]
);
$queue->setContainer(Container::getInstance());
$queue->setConnectionName('redis');
$client = redisManager()->connection('default');

$told = workerArguments();
if ($told !== null) {
    while ($job = $queue->pop($name)) {
        $job->fire();
    }
    exit;
}

$workers = new Workers();
$long = $queue->push(LongJob::class, ['order' => 42], $name);
$workers->start('hang');
until(fn () => $client->zcard("queues:$name:reserved") === 1, 'no worker took the job');
foreach (['Alan', 'Barbara', 'Edsger'] as $who) {
    $queue->push(GreetJob::class, ['name' => $who], $name);
}
foreach (['Tony', 'Grace'] as $who) {
    $queue->later(3600, GreetJob::class, ['name' => $who], $name);
}

$count = fn () => [
    'queue' => $name,
    'size' => $queue->size($name),
    'ready' => $client->llen("queues:$name"),
    'delayed' => $client->zcard("queues:$name:delayed"),
    'reserved' => $client->zcard("queues:$name:reserved"),
    'long' => $long,
];
serve($count, [
    'die' => fn () => $workers->kill(),
    'age' => function (string $seconds) use ($client, $name) {
        foreach ($client->zrange("queues:$name:reserved", 0, -1) as $job) {
            $client->zincrby("queues:$name:reserved", -(int) $seconds, $job);
        }
    },
    'due' => function () use ($client, $name) {
        foreach ($client->zrange("queues:$name:delayed", 0, -1) as $job) {
            $client->zincrby("queues:$name:delayed", -3601, $job);
        }
    },
    'migrate' => fn (string $what) => $queue->migrateExpiredJobs("queues:$name:$what", "queues:$name"),
    'add' => function () use ($queue, $name) {
        $queue->push(GreetJob::class, ['name' => 'Kurt'], $name);
    },
    'work' => fn () => $workers->finish(),
]);
$workers->kill();
