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
    QByteArray space; ///< "asynq:"; empty: no name of asynq
    QByteArray queue; ///< empty: of no queue in particular
    QByteArray part;  ///< "pending", "t", "servers"
    QByteArray rest;  ///< what follows the part: a task's id
    QByteArray stem() const { return space + '{' + queue + '}'; }
};
AsynqName asynqNameOf(const QByteArray& name);

} // namespace lk
