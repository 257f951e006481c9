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

/// The steps of priority besides 0 for which Kombu has lists by default.
std::vector<QByteArray> kombuPriorities();

/// A list's name without its step of priority.
QByteArray kombuBaseOf(const QByteArray& name);

/// The name of a set of bindings: the prefix before "_kombu.binding.", and the exchange.
struct KombuBinding
{
    bool known = false;
    QByteArray prefix;
    QByteArray exchange;
};
KombuBinding kombuBindingOf(const QByteArray& name);

/// Returns the queue that a member of such a set names. Empty for Celery's own queues of remote
/// control and events.
QByteArray kombuQueueIn(const QByteArray& member);
/// Returns the queue that a member binds to messages with that routing key. Empty if there is none.
/// Members are "routing key, pattern, queue". A topic exchange has a pattern.
QByteArray kombuQueueBoundBy(const QByteArray& member, const QByteArray& routingKey);
/// The list of a queue, given with its prefix, for messages of that priority (0 to 9). The steps
/// and the separator are read from the keys of a queue known by name and its priority lists.
QByteArray kombuListOf(const QByteArray& queue, int priority, const QByteArray& known,
                       const std::vector<KeyRole>& keys);
/// The worker that a member of the remote control's set names; empty for anything else.
QByteArray celeryWorkerIn(const QByteArray& member);

/// The prefix before "unacked", "unacked_index" or "unacked_mutex". May be empty.
struct KombuUnacked
{
    bool known = false;
    QByteArray prefix;
    QByteArray part;
};
KombuUnacked kombuUnackedOf(const QByteArray& name);

} // namespace lk
