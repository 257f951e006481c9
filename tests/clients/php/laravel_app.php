<?php
// SPDX-License-Identifier: GPL-3.0-or-later
//
// As much of Laravel as its queues, locks and limiters need.

declare(strict_types=1);

require_once __DIR__ . '/scenario.php';
require_once 'Illuminate/Cache/autoload.php';
require_once 'Illuminate/Queue/autoload.php';
require_once 'Illuminate/Redis/autoload.php';

use Illuminate\Container\Container;
use Illuminate\Redis\RedisManager;

// A new application's own prefix is its name's.
function redisPrefix(): string
{
    return prefix() === '' ? 'laravel_database_' : prefix();
}

function redisManager(): RedisManager
{
    return new RedisManager(Container::getInstance(), 'phpredis', [
        'options' => ['prefix' => redisPrefix()],
        'default' => ['host' => socket(), 'port' => 0, 'database' => 0],
        'cache' => ['host' => socket(), 'port' => 0, 'database' => 0],
    ]);
}
