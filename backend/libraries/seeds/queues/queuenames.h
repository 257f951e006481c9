// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <vector>

namespace lk {

// The names by which the lists of one queue are matched: jobs, jobs:processing,
// jobs:processing:worker1, processing:jobs, jobs:dead, jobs:delayed.

/// The role that a name gives its key, and the queue's name that follows from it.
struct QueueName
{
    QByteArray stem;
    QByteArray role; ///< "ready", "processing", "dead", "delayed"
    char separator =
        ':'; ///< between the stem and the word; if there is no word, the last one in the name
    bool plain = true;   ///< true if no word names a role; any such name may be a ready list
    bool strong = false; ///< true if the word is used for queues only
};
QueueName queueNameOf(const QByteArray& name);

/// Returns possible names of that queue's ready list, likeliest first.
std::vector<QByteArray> readyNamesFor(const QueueName& part);
/// Returns the most common name of its processing list.
QByteArray processingNameFor(const QueueName& part);

/// True if a segment of the name says that it is a queue.
bool isQueueName(const QByteArray& name);
/// True if the name says that its list is a history, a measure or an inbox.
bool isListOfOthers(const QByteArray& name);
/// True if the last segment says that it is a queue and the name hints at nothing else:
/// "mail:jobs".
bool isQueueAlone(const QByteArray& name);

} // namespace lk
