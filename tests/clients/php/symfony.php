<?php
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Symfony: locks, a semaphore and the rate limiter's three policies.
//
// Commands: count, lock (tries to take the lock that is held), hit (another call that is limited), release
// NAME (exclusive, reader0, reader1, permit0, permit1), foreign NAME (by one who does not hold it), reset POLICY.

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
use Symfony\Component\Semaphore\Key as SemaphoreKey;
use Symfony\Component\Semaphore\SemaphoreFactory;
use Symfony\Component\Semaphore\Store\RedisStore as SemaphoreStore;

$redis = new Redis();
$redis->connect(socket());

$locks = new LockFactory(new RedisStore($redis));
$semaphores = new SemaphoreFactory(new SemaphoreStore($redis));
// Each has a key of its own, which knows its token. The readers end at different times.
$keys = [
    'exclusive' => new Key(prefix() . 'invoice:42'),
    'reader0' => new Key(prefix() . 'catalogue'),
    'reader1' => new Key(prefix() . 'catalogue'),
    'permit0' => new SemaphoreKey(prefix() . 'imports', 5),
    'permit1' => new SemaphoreKey(prefix() . 'imports', 5, 3),
];
$exclusive = $locks->createLockFromKey($keys['exclusive'], 600, false);
$shared = [
    $locks->createLockFromKey($keys['reader0'], 600, false),
    $locks->createLockFromKey($keys['reader1'], 1200, false),
];
$permits = [
    $semaphores->createSemaphoreFromKey($keys['permit0'], 600, false),
    $semaphores->createSemaphoreFromKey($keys['permit1'], 600, false),
];
$held = [
    'exclusive' => $exclusive, 'reader0' => $shared[0], 'reader1' => $shared[1], 'permit0' => $permits[0],
    'permit1' => $permits[1],
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
        'id' => 'token_bucket',
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
$count = function () use (&$again, $exclusive, $shared, $held, $keys) {
    return [
        'exclusive' => $exclusive->isAcquired(),
        'other_has_it' => $again !== null && $again->isAcquired(),
        'readers' => count(array_filter($shared, fn ($lock) => $lock->isAcquired())),
        'permits' => array_sum(array_map(
            fn ($name) => $held[$name]->isAcquired() ? $keys[$name]->getWeight() : 0,
            ['permit0', 'permit1']
        )),
    ];
};
$tokenOf = function (string $name) use ($keys) {
    $key = $keys[$name];
    return $key->getState($key instanceof Key ? RedisStore::class : SemaphoreStore::class);
};
serve($count, [
    'hit' => $hit,
    'release' => function (string $name) use ($held, $tokenOf) {
        $token = $tokenOf($name);
        $held[$name]->release();
        return ['id' => $token];
    },
    'foreign' => fn (string $name) => (new RedisStore($redis))->delete(new Key((string) $keys[$name])),
    'reset' => function (string $policy) use ($limiters) {
        $limiters[$policy]->reset();
        return ['key' => rtrim(prefix() ?: 'limits', ':') . ':' . sha1($policy . '-ada')];
    },
    'lock' => function () use ($locks, &$again) {
        $again = $locks->createLock(prefix() . 'invoice:42', 600, false);
        $again->acquire();
    },
]);
