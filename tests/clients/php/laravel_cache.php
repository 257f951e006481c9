<?php
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Laravel: cache locks, the cache's rate limiter, Redis::throttle and Redis::funnel.
//
// Commands: count, hit (another attempt of the limited user), lock (tries to take the lock), release and
// force NAME (a lock), foreign NAME (in the name of one who does not hold it), clear, clear_throttle, leave
// (what is in the funnel's second slot leaves it).

declare(strict_types=1);

require_once __DIR__ . '/laravel_app.php';

use Illuminate\Cache\RateLimiter;
use Illuminate\Cache\RedisStore;
use Illuminate\Cache\Repository;
use Illuminate\Redis\Limiters\ConcurrencyLimiterBuilder;
use Illuminate\Redis\Limiters\DurationLimiter;
use Illuminate\Redis\Limiters\DurationLimiterBuilder;

const LIMIT = 5;
const DECAY_S = 60;
const IDENTITY = 'login:ada|192.0.2.1';

$redis = redisManager();
// The cache has a prefix of its own behind that of the connection.
$store = new RedisStore($redis, 'laravel_cache', 'cache');
$limiter = new RateLimiter(new Repository($store));
$connection = $redis->connection('default');

$lock = $store->lock('invoice:42', 600);
$endless = $store->lock('nightly-report');
if (!$lock->acquire() || !$endless->acquire()) {
    exit('the locks are not to be had');
}
for ($i = 0; $i < LIMIT; ++$i) {
    $limiter->hit(IDENTITY, DECAY_S);
}
$allowed = 0;
for ($i = 0; $i < 4; ++$i) {
    (new DurationLimiterBuilder($connection, 'reports'))->allow(3)->every(DECAY_S)->block(0)->then(
        function () use (&$allowed) { ++$allowed; },
        fn () => null
    );
}
// Held until the scenario ends: what the funnel lets through is inside.
$funnel = fn () => (new ConcurrencyLimiterBuilder($connection, 'imports'))->limit(3)->releaseAfter(600)
    ->block(0);
$inside = function () use ($connection, $store, $limiter, $lock, $endless, $funnel, &$allowed) {
    $second = new Fiber(fn () => $funnel()->then(fn () => Fiber::suspend()));
    $second->start();
    $locks = ['invoice:42' => $lock, 'nightly-report' => $endless];
    $count = fn () => [
        'owner' => $lock->owner(),
        'held' => (bool) $store->connection()->exists($store->getPrefix() . 'invoice:42'),
        'endless_owner' => $endless->owner(),
        'limit' => LIMIT,
        'attempts' => (int) $limiter->attempts(IDENTITY),
        'too_many' => $limiter->tooManyAttempts(IDENTITY, LIMIT),
        'available_in_s' => $limiter->availableIn(IDENTITY),
        'throttle_allowed' => $allowed,
    ];
    serve($count, [
        'hit' => fn () => $limiter->hit(IDENTITY, DECAY_S),
        'lock' => fn () => $store->lock('invoice:42', 600)->acquire(),
        'release' => function (string $name) use ($locks) {
            $locks[$name]->release();
            return ['id' => $locks[$name]->owner()];
        },
        'force' => function (string $name) use ($locks) {
            $locks[$name]->forceRelease();
            return ['id' => $locks[$name]->owner()];
        },
        'foreign' => fn (string $name) => $store->restoreLock($name, 'another')->release(),
        'clear' => fn () => $limiter->clear(IDENTITY),
        'clear_throttle' => fn () => (new DurationLimiter($connection, 'reports', 3, DECAY_S))->clear(),
        'leave' => function () use ($connection, $second) {
            $owner = $connection->get('imports2');
            $second->resume();
            return ['id' => $owner];
        },
    ]);
};
$funnel()->then($inside, fn () => null);
