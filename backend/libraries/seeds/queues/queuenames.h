// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <vector>

namespace lk {

// The names by which the lists of one queue find each other: jobs, jobs:processing,
// jobs:processing:worker1, processing:jobs, jobs:dead, jobs:delayed.

/// The part that a name says its key plays, and what the queue is called then.
struct QueueName
{
    QByteArray stem;
    QByteArray role; ///< "ready", "processing", "dead", "delayed"
    char separator =
        ':';           ///< between the stem and the word; as in the name's end where there is none
    bool plain = true; ///< no word says so: any name is taken for a ready list
    bool strong = false; ///< the word is said of queues only
};
QueueName queueNameOf(const QByteArray& name);

/// What the ready list of that queue may be called, likeliest first.
std::vector<QByteArray> readyNamesFor(const QueueName& part);
/// What its processing list is called most often.
QByteArray processingNameFor(const QueueName& part);

/// True if a segment of the name says that it is a queue.
bool isQueueName(const QByteArray& name);
/// True if the name says that its list is a history, a measure or somebody's inbox.
bool isListOfOthers(const QByteArray& name);
/// True if it says so at its end, and nothing else besides: "mail:jobs".
bool isQueueAlone(const QByteArray& name);

} // namespace lk
