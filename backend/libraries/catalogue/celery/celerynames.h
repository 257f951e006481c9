// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"

#include <QByteArray>

#include <vector>

namespace lk {

// How Kombu, which Celery speaks to Redis through, names its keys: a list of the queue's name,
// lists <queue>\6\x16<step> of other priorities, and for all queues "unacked", "unacked_index" and
// sets _kombu.binding.<exchange>. A global_keyprefix stands before all of them as it is. Checked
// against keys of Celery 5.2 with Kombu 5.2.

/// Between the parts of names and of bindings.
QByteArray kombuSeparator();

/// The steps of priority that Kombu has lists for, unless told otherwise, besides 0.
std::vector<QByteArray> kombuPriorities();

/// A list's name without its step of priority.
QByteArray kombuBaseOf(const QByteArray& name);

/// A set of bindings: what stands before "_kombu.binding.", and the exchange.
struct KombuBinding
{
    bool known = false;
    QByteArray prefix;
    QByteArray exchange;
};
KombuBinding kombuBindingOf(const QByteArray& name);

/// The queue that a member of such a set names; empty for one of Celery's own, of its remote
/// control and events.
QByteArray kombuQueueIn(const QByteArray& member);
/// The queue that a member binds to messages with that routing key; empty: none. Members are
/// "routing key, pattern, queue"; a topic exchange has a pattern.
QByteArray kombuQueueBoundBy(const QByteArray& member, const QByteArray& routingKey);
/// The list of a queue, given with its prefix, for messages of that priority (0 to 9). The steps
/// and the separator are read from the keys of a queue known by name and its priority lists.
QByteArray kombuListOf(const QByteArray& queue, int priority, const QByteArray& known,
                       const std::vector<KeyRole>& keys);
/// The worker that a member of the remote control's set names; empty for anything else.
QByteArray celeryWorkerIn(const QByteArray& member);

/// "" or what stands before "unacked", "unacked_index" or "unacked_mutex".
struct KombuUnacked
{
    bool known = false;
    QByteArray prefix;
    QByteArray part;
};
KombuUnacked kombuUnackedOf(const QByteArray& name);

} // namespace lk
