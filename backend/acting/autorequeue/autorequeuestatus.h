// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"

#include <QMetaType>

namespace lk {

/// The state of a queue's auto-requeue at one moment.
struct AutoRequeueStatus
{
    /// Who requeues the jobs of this queue, as far as this console knows.
    enum class Phase : quint8 {
        Off,       ///< nobody here was asked to
        Starting,  ///< whether another console does it is being asked
        Here,      ///< this console does it
        Elsewhere, ///< another one does; this one stands by
        Ended,     ///< it did; why says what ended it
    };
    PrimitiveId queue;
    Phase phase = Phase::Off;
    qint64 olderThanMs = 0;
    qint64 sinceMs = 0;  ///< Here: server time
    qint64 requeued = 0; ///< jobs, by this console
    QByteArray holder;   ///< Elsewhere: what the lock holds
    QString why;         ///< Ended: a sentence without full stop; translated
    QString note;        ///< Here: what the last round found that is worth telling; translated

    bool isOn() const
    {
        return phase == Phase::Starting || phase == Phase::Here || phase == Phase::Elsewhere;
    }
};

/// How often a queue is looked at and how much is requeued; times in milliseconds.
struct AutoRequeuePace
{
    int everyMs = 5000;
    qint64 leaseMs = 15'000; ///< of the lock: a few times that
    qint64 mostItems = 100;  ///< requeued at a time
};

} // namespace lk

Q_DECLARE_METATYPE(lk::AutoRequeueStatus)
