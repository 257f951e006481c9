// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"

#include <QMetaType>

namespace lk {

/// The state of a queue's auto-requeue at one moment.
struct AutoRequeueStatus
{
    /// Which console requeues the jobs of this queue, as far as this console knows.
    enum class Phase : quint8 {
        Off,       ///< not turned on in this console
        Starting,  ///< checks whether another console does it
        Here,      ///< this console does it
        Elsewhere, ///< another console does it; this one stands by
        Ended,     ///< this console did it; why contains the reason for the end
    };
    PrimitiveId queue;
    Phase phase = Phase::Off;
    qint64 olderThanMs = 0;
    qint64 sinceMs = 0;  ///< Here: server time
    qint64 requeued = 0; ///< jobs, by this console
    QByteArray holder;   ///< Elsewhere: what the lock holds
    QString why;         ///< Ended: a sentence without full stop; translated
    QString note;        ///< Here: a remark on the last round, for the user; translated

    bool isOn() const
    {
        return phase == Phase::Starting || phase == Phase::Here || phase == Phase::Elsewhere;
    }
};

/// How often a queue is read and how much is requeued; times in milliseconds.
struct AutoRequeuePace
{
    int everyMs = 5000;
    qint64 leaseMs = 15'000; ///< the lock's lease: a multiple of everyMs
    qint64 mostItems = 100;  ///< limit of jobs per round
};

} // namespace lk

Q_DECLARE_METATYPE(lk::AutoRequeueStatus)
