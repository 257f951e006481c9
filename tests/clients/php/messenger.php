<?php
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Symfony Messenger: a stream with messages that wait, are handled by a consumer that hangs, and are
// delayed.
//
// Commands: die (the consumer is killed), work (another consumer handles what waits and what is its own),
// take SECONDS (another one takes over what has been pending so long), reject (the message in progress), send
// (another one), count.

declare(strict_types=1);

require_once __DIR__ . '/scenario.php';
require_once 'Symfony/Component/Messenger/autoload.php';
require_once 'Symfony/Component/Messenger/Bridge/Redis/autoload.php';

use Symfony\Component\Messenger\Bridge\Redis\Transport\Connection;
use Symfony\Component\Messenger\Bridge\Redis\Transport\RedisReceivedStamp;
use Symfony\Component\Messenger\Bridge\Redis\Transport\RedisTransport;
use Symfony\Component\Messenger\Envelope;
use Symfony\Component\Messenger\Stamp\DelayStamp;
use Symfony\Component\Messenger\Transport\Serialization\PhpSerializer;

final class Greeting
{
    public function __construct(public string $name)
    {
    }
}

$stream = prefix() === '' ? 'messages' : prefix() . 'high.mails';

function transport(string $consumer, array $options = []): RedisTransport
{
    global $stream;
    $connection = Connection::fromDsn('redis://' . socket(), $options + [
        'stream' => $stream,
        'group' => prefix() === '' ? 'symfony' : 'mailers',
        'consumer' => $consumer,
        'delete_after_ack' => true,
        'claim_interval' => 1,
    ]);
    return new RedisTransport($connection, new PhpSerializer());
}

$told = workerArguments();
if ($told !== null) {
    $options = isset($told[2]) ? ['redeliver_timeout' => (int) $told[2]] : [];
    $transport = transport($told[0], $options);
    // Old pending messages are claimed once there are none of its own.
    for ($empty = 0; $empty < 3;) {
        $messages = $transport->get();
        foreach ($messages as $message) {
            if ($told[1] === 'hang') {
                sleep(600);
            }
            $transport->ack($message);
        }
        $messages = is_array($messages) ? $messages : iterator_to_array($messages);
        $empty = $messages === [] ? $empty + 1 : 0;
    }
    exit;
}

$redis = new Redis();
$redis->connect(socket());
$workers = new Workers();
$transport = transport('sender');
$transport->send(new Envelope(new Greeting('Ada')));
$workers->start('first', 'hang');
$group = fn () => $redis->xinfo('GROUPS', $stream)[0];
until(fn () => $group()['pending'] === 1, 'no consumer took the message');
foreach (['Alan', 'Barbara', 'Edsger'] as $who) {
    $transport->send(new Envelope(new Greeting($who)));
}
foreach (['Tony', 'Grace'] as $who) {
    $transport->send(new Envelope(new Greeting($who), [new DelayStamp(3600000)]));
}

$count = fn () => [
    'queue' => $stream,
    'group' => $group()['name'],
    // Since 6.2 of the library; what it counts is what XLEN and its group say.
    'waiting' => $redis->rawCommand('XINFO', 'GROUPS', $stream)[0][11] ?? null,
    'pending' => $group()['pending'],
    'delayed' => $redis->zcard($stream . '__queue'),
];
serve($count, [
    'die' => fn () => $workers->kill(),
    'work' => fn () => $workers->finish('second', 'work'),
    'reject' => function () use ($redis, $stream, $group) {
        $id = $redis->xPending($stream, $group()['name'], '-', '+', 1)[0][0];
        $transport = transport('sender');
        $transport->reject(new Envelope(new Greeting('Ada'), [new RedisReceivedStamp($id)]));
        return ['id' => $id];
    },
    'send' => function () use ($redis, $stream, $transport) {
        $transport->send(new Envelope(new Greeting('Kurt')));
        return ['payload' => json_encode(array_values($redis->xRevRange($stream, '+', '-', 1))[0])];
    },
    'take' => fn (string $seconds) => $workers->finish('second', 'work', $seconds),
]);
$workers->kill();
