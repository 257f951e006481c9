// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

// How asynq's keys are named: asynq:{queue}:pending and the queue's other keys,
// asynq:{queue}:t:<id> of a task, asynq:queues and the keys of its servers. After asynq's source;
// its prefix is fixed there, but a proxy may put its own before it.

/// A key's name, taken apart: "asynq:{default}:pending".
struct AsynqName
{
    QByteArray space; ///< "asynq:"; empty if the name is not one of asynq's
    QByteArray queue; ///< the queue's name; empty if the key belongs to no single queue
    QByteArray part;  ///< "pending", "t", "servers"
    QByteArray rest;  ///< the rest of the name after the part: a task's id
    QByteArray stem() const { return space + '{' + queue + '}'; }
};
AsynqName asynqNameOf(const QByteArray& name);

} // namespace lk
