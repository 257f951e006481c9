<?php
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Symfony: locks, a semaphore and the rate limiter's three policies.
//
// Commands: count, lock (tries to take the lock that is held), hit (another call that is limited).

declare(strict_types=1);

require_once __DIR__ . '/scenario.php';
require_once 'Symfony/Component/Cache/autoload.php';
require_once 'Symfony/Component/Lock/autoload.php';
require_once 'Symfony/Component/RateLimiter/autoload.php';
require_once 'Symfony/Component/Semaphore/autoload.php';

use Symfony\Component\Cache\Adapter\RedisAdapter;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\RedisStore;
use Symfony\Component\RateLimiter\RateLimiterFactory;
use Symfony\Component\RateLimiter\Storage\CacheStorage;
use Symfony\Component\Semaphore\SemaphoreFactory;
use Symfony\Component\Semaphore\Store\RedisStore as SemaphoreStore;

$redis = new Redis();
$redis->connect(socket());

$locks = new LockFactory(new RedisStore($redis));
$exclusive = $locks->createLock(prefix() . 'invoice:42', 600, false);
$shared = [
    $locks->createLock(prefix() . 'catalogue', 600, false),
    $locks->createLock(prefix() . 'catalogue', 600, false),
];
$semaphores = new SemaphoreFactory(new SemaphoreStore($redis));
$permits = [
    $semaphores->createSemaphore(prefix() . 'imports', 3, 1, 600, false),
    $semaphores->createSemaphore(prefix() . 'imports', 3, 1, 600, false),
];
$taken = $exclusive->acquire() && $shared[0]->acquireRead() && $shared[1]->acquireRead()
    && $permits[0]->acquire() && $permits[1]->acquire();
if (!$taken) {
    exit('they are not to be had');
}

$storage = new CacheStorage(new RedisAdapter($redis, rtrim(prefix() ?: 'limits', ':')));
$limiters = [];
foreach (['fixed_window', 'sliding_window'] as $policy) {
    $factory = new RateLimiterFactory(
        ['id' => $policy, 'policy' => $policy, 'limit' => 5, 'interval' => '1 minute'],
        $storage
    );
    $limiters[$policy] = $factory->create('ada');
}
$factory = new RateLimiterFactory(
    [
        'id' => 'bucket',
        'policy' => 'token_bucket',
        'limit' => 10,
        'rate' => ['interval' => '1 minute', 'amount' => 5],
    ],
    $storage
);
$limiters['token_bucket'] = $factory->create('ada');
$hit = fn () => array_map(fn ($limiter) => $limiter->consume(3), $limiters);
$hit();

$again = null;
$count = function () use (&$again, $exclusive, $shared, $permits, $limiters) {
    return [
        'exclusive' => $exclusive->isAcquired(),
        'other_has_it' => $again !== null && $again->isAcquired(),
        'readers' => count(array_filter($shared, fn ($lock) => $lock->isAcquired())),
        'permits' => count(array_filter($permits, fn ($permit) => $permit->isAcquired())),
        'remaining' => array_map(fn ($limiter) => $limiter->consume(0)->getRemainingTokens(), $limiters),
    ];
};
serve($count, [
    'hit' => $hit,
    'lock' => function () use ($locks, &$again) {
        $again = $locks->createLock(prefix() . 'invoice:42', 600, false);
        $again->acquire();
    },
]);
